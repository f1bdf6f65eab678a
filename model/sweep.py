"""Short runs that differ in one setting each, and the table of what came of them. `python -m model.sweep` writes SWEEP.md.

Choices are made here, on a slice that the last tenth of the model's own training text is: the held-out tenth is not read.
Each run makes the same number of steps of as many tokens; what wins in a short run need not win in a long one, so the
table says how long they were. Finished runs are kept in `.build/sweep`, and not made again.
"""

import argparse
import dataclasses
from dataclasses import dataclass, field
from pathlib import Path

from model import corpus, evaluate, export
from model.gpt import GPT
from model.train import RUN, Run, Settings, config_of

HERE = Path(__file__).parent
FOLDER = RUN.parent / "sweep"
TABLE = HERE / "SWEEP.md"
BASE = dataclasses.replace(Settings(), steps=1_000, copy_steps=0, threads=1, log_every=1_000, save_every=1_000)


@dataclass(frozen=True)
class Variant:
    """What differs from the settings of the model, and why that was tried."""

    name: str
    changes: dict = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        return dataclasses.replace(BASE, **self.changes)


VARIANTS = (
    Variant("as shipped, but short and without the lesson in copying"),
    Variant("with the lesson in copying", {"copy_steps": 400}),
    Variant("AdamW for every matrix", {"optimizer": "adamw"}),
    Variant("Muon for every matrix", {"optimizer": "muon"}),
    Variant("Alice keeps her name", {"rename": False}),
    Variant("no fee for rows that are spread out", {"decisive": 0.0}),
    Variant("no novels", {"novels_until": 0.0}),
    Variant("dropout 0", {"dropout": 0.0}),
    Variant("weight decay 0", {"weight_decay": 0.0}),
    Variant("rates halved", {"learning_rate": 1.5e-3, "muon_rate": 3.5e-3}),
    Variant("rates doubled", {"learning_rate": 6e-3, "muon_rate": 14e-3}),
    Variant("width 136, what fits in 16 bits", {"width": 136}),
    Variant("context 256, half as many rows", {"context": 256, "batch": 16}),
    # As many weights, and in a step about as much text, in a context that reaches about as far.
    Variant("bytes for tokens", {"vocabulary": 256, "width": 200, "context": 372}),
)


def slices(texts: list[corpus.Text]) -> list[corpus.Text]:
    """The works without their held-out part, a slice of what is left set aside instead; novels have none."""
    return [corpus.Text(text.work, *corpus.split(text.train)) if text.work.tales else text for text in texts]


def run(number: int, variant: Variant, texts: list[corpus.Text]) -> Run:
    """The finished run of a variant, made or found."""
    settings = variant.settings
    made = Run(settings, FOLDER / f"{number:02}", texts, config_of(settings), score=True)
    made.to(settings.steps)
    return made


def sharpest(model: GPT, made: Run) -> float:
    """The greatest share that a head of layer 2 gives to the name in the sentence of chapter 10."""
    return float(evaluate.on_word(model, made.measure.encoder, export.SENTENCE, export.NAME)[1].max())


def line(variant: Variant, made: Run) -> str:
    """A row of the table."""
    logged, model = made.log[-1], made.model.eval()
    size = sum(p.numel() for p in model.parameters())
    changes = ", ".join(f"`{name}={value}`" for name, value in variant.changes.items())
    speed = logged["tokens"] / logged["seconds"]
    cells = [variant.name, changes, f"{size:,}", f"{logged['loss']:.3f}", f"{logged['bits_per_byte']:.3f}"]
    return " | ".join(["", *cells, f"{sharpest(model, made):.0%}", f"{speed:,.0f}", ""]).strip()


def rounding(made: Run) -> list[str]:
    """What the slice costs with the weights of the first variant kept in 32, 16 and 8 bits."""
    weights = {name: weight.clone() for name, weight in made.model.state_dict().items()}

    def bits_per_byte() -> str:
        scores = evaluate.score_works(made.model, made.measure.encoder, made.measure.unread)
        return f"{evaluate.overall(scores).bits_per_byte:.4f}"

    rows = [f"| 32 bits | {bits_per_byte()} |"]
    made.model.half().float()
    rows.append(f"| 16 bits | {bits_per_byte()} |")
    made.model.load_state_dict(weights)
    export.rounded(made.model)
    return [*rows, f"| 8 bits, a scale for each column | {bits_per_byte()} |"]


HEAD = """# The sweep

Made by `python -m model.sweep`; do not edit. Each run made {steps:,} steps of {tokens:,} tokens, {total:.1f} million, and is scored
on the last tenth of the tales' training text, which it did not read: the held-out tenth of the model is no part of this. «Alice»
is the greatest share that a head of layer 2 gives to that name in “{sentence}”. Speed is tokens a second on one thread of the
machine that made the table, beside whatever else it did, and is no benchmark.

| variant | changed | weights | loss on tales read, nats a token | slice, bits a byte | «Alice» | tokens/s |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
"""
ROUNDING = """
The first of them, its weights rounded:

| kept in | slice, bits a byte |
| --- | ---: |
"""


def table(lines: list[str], rounded: list[str]) -> str:
    tokens = BASE.batch * BASE.context
    head = HEAD.format(steps=BASE.steps, tokens=tokens, total=BASE.steps * tokens / 1e6, sentence=export.SENTENCE)
    return head + "\n".join(lines) + "\n" + ROUNDING + "\n".join(rounded) + "\n"


def finished(number: int) -> bool:
    return (FOLDER / f"{number:02}" / f"step-{BASE.steps:06}.pt").exists()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = range(len(VARIANTS))
    parser.add_argument("--only", type=int, nargs="*", default=numbers, choices=numbers, help="make these runs, beside the first")
    args = parser.parse_args()
    texts = slices(corpus.load())
    for number in sorted({0, *args.only}):
        run(number, VARIANTS[number], texts)
    made = {number: run(number, VARIANTS[number], texts) for number in numbers if finished(number)}
    lines = [line(VARIANTS[number], each) for number, each in made.items()]
    TABLE.write_text(table(lines, rounding(made[0])), "utf-8")


if __name__ == "__main__":
    main()
