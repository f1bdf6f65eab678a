"""The model's card: model/README.md, its numbers and samples taken from the shipped files. `python -m model.card` writes it."""

from pathlib import Path

import numpy as np
from jinja2 import Environment, StrictUndefined

from model import compare, corpus, export, manifest
from model.manifest import Manifest
from model.runtime import Runtime

CARD, TEXT = (Path(__file__).parent / name for name in ("README.md", "card.md"))
PROMPT = export.SENTENCE
TEMPERATURES = (0.3, 0.7, 1.0)
SAMPLE = 100  # tokens
SEED = 1


def sample(runtime: Runtime, prompt: str, temperature: float, tokens: int = SAMPLE, seed: int = SEED) -> str:
    """The prompt and what the model goes on with, token after token drawn from softmax(logits / temperature)."""
    draw = np.random.default_rng(seed)
    ids = [token.id for token in runtime.encode(prompt)]
    for _ in range(tokens):
        logits = runtime.run(ids[-runtime.manifest.config.context :], ["logits"])["logits"][-1].astype(float)  # (V,)
        odds = np.exp((logits - logits.max()) / temperature)
        ids.append(int(draw.choice(len(odds), p=odds / odds.sum())))
    return runtime.tokenizer.decode(ids)


def row(*cells: object) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def works(m: Manifest) -> str:
    head = [row("work", "where from", "read in training", "held out"), row("---", "---", "---:", "---:")]
    return "\n".join(
        head + [row(w.title, w.source, f"{w.weight} × {w.train_bytes:,} bytes", f"{w.held_out_bytes:,}") for w in m.corpus]
    )


def quality(rows: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(rows.values())))
    head = [row("", *names), row("---", *["---:"] * len(names))]
    return "\n".join(head + [row(label, *(f"{numbers[name]:.3f}" for name in names)) for label, numbers in rows.items()])


def habits(m: Manifest) -> str:
    kinds = [role.name for role in m.heads[0].roles]
    lines = [row("head", "verdict", *kinds), row("---", "---", *["---:"] * len(kinds))]
    for head in m.heads:
        lines.append(row(f"{head.layer + 1}.{head.head + 1}", head.verdict, *(number(r.score, r.unit) for r in head.roles)))
    for label, of in (("an even spread", "baseline"), ("untrained, mean", "untrained")):
        means = [np.mean([getattr(head.roles[i], of) for head in m.heads]) for i in range(len(kinds))]
        lines.append(row(label, "", *(number(float(x), r.unit) for x, r in zip(means, m.heads[0].roles, strict=True))))
    return "\n".join(lines)


def number(score: float, unit: str) -> str:
    return f"{score:.0%}" if unit == "share" else f"{score:.1f} {unit}"


def samples(runtime: Runtime) -> str:
    texts = (f"Temperature {t}:\n\n```text\n{sample(runtime, PROMPT, t)}\n```" for t in TEMPERATURES)
    return "\n\n".join(texts)


def card(runtime: Runtime, rows: dict[str, dict[str, float]]) -> str:
    """The text of card.md with everything filled in that was measured."""
    m = runtime.manifest
    texts = {role.name: role.text for role in m.heads[0].roles}
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["fmt"] = format
    return environment.from_string(TEXT.read_text("utf-8")).render(
        m=m,
        c=m.config,
        most_score=export.MOST_SCORE,
        s=m.training.settings,
        last=m.training.log[-1],
        names=m.evaluation.naming,
        model=m.files[manifest.MODEL_FILE],
        works=works(m),
        quality=quality(rows),
        habits=habits(m),
        samples=samples(runtime),
        stories=texts["person"],
        repeats=texts["induction"],
        sentence=export.SENTENCE,
        prompt=PROMPT,
        seed=SEED,
        length=SAMPLE,
    )


def main() -> None:
    CARD.write_text(card(Runtime.load(), compare.beside(corpus.load())), "utf-8")


if __name__ == "__main__":
    main()
