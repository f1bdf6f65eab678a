"""Train the model: corpus, tokenizer, a lesson in copying, then stories. `python -m model.train`, one command from nothing.

First the model sees nothing but random spans that repeat, until it has found the trick of looking back at what came
after the earlier occurrence; then stories, with a few such rows kept in every batch so that the trick is not lost. One
head of each layer takes the lesson, the others are silenced: were all of them to take it, most would stay with it. At first
the one of the last layer is not there for stories, or it would also become the one that looks for names. Novels are mixed in
with the tales, to learn English from, and left out towards the end. In the second half of the run, heads of the last layer
pay a fee for rows that are spread out, less and less of it: so they learn to choose, and it can be seen what they look at.

Everything random is drawn anew at each step from (seed, step): a killed run, started again, goes on from its last
checkpoint to the same result, bit for bit on the same kind of machine. Inside of the half-blocks numbers have 16 bits
(bfloat16); the stream, the loss, weights and gradients have 32. Processors without such instructions do the same, but slowly.

Under `torchrun --nproc-per-node=N -m model.train` each of N processes takes its part of every batch, and their gradients
are averaged (DistributedDataParallel): the same steps as one process makes, but for what dropout draws.
"""

import argparse
import hashlib
import json
import math
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, distributed
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
from tqdm import tqdm

from model import corpus, evaluate, tokenizer
from model.evaluate import IGNORE
from model.gpt import GPT, GPTConfig, Switches

RUN = Path(__file__).parent.parent / ".build" / "train"


@dataclass(frozen=True)
class Settings:
    width: int = 192
    vocabulary: int = 1024
    context: int = 128
    steps: int = 12_000
    batch: int = 32  # rows of `context` tokens
    copy_steps: int = 600  # at first, nothing but repeats: the trick appears abruptly before step 400
    copy_heads: int = 1  # of each layer take that lesson; the others are kept free for stories
    copy_share: float = 1 / 16  # of each later batch
    apart_until: float = 1 / 3  # of the run; until then text does without those heads of the last layer
    novels_until: float = 0.8  # of the run; after that the tales alone
    rename: bool = True  # give Alice another name in half of what is read of her
    decisive: float = 0.02  # nats of loss for a nat of entropy in the rows of a head of the last layer
    decisive_from: float = 0.5  # of the run; that fee is paid in full …
    decisive_until: float = 0.625  # … until here, and then falls to nothing at the end
    optimizer: str = "hybrid"  # of matrices: "muon", "adamw", or Muon for all but queries and keys; embeddings and norms: AdamW
    learning_rate: float = 3e-3  # of AdamW
    muon_rate: float = 7e-3
    final_rate: float = 0.02  # of each rate, at the end of the cosine
    warmup: int = 100
    weight_decay: float = 0.1  # of matrices; norms and embeddings are left alone
    dropout: float = 0.1
    clip: float = 1.0
    seed: int = 1
    threads: int = 2  # shared out among the processes
    log_every: int = 500
    save_every: int = 500


def config_of(settings: Settings) -> GPTConfig:
    return GPTConfig(width=settings.width, vocabulary=settings.vocabulary, context=settings.context, dropout=settings.dropout)


@dataclass(frozen=True)
class Diet:
    """The training tokens of each work, and how likely a row of a batch comes from each: `mixed`, and `tales` alone."""

    ids: list[np.ndarray]
    mixed: np.ndarray
    tales: np.ndarray

    @staticmethod
    def of(texts: list[corpus.Text], encoder: Tokenizer, rename: bool) -> "Diet":
        ids = [np.array(encoder.encode(text.train).ids) for text in texts]
        size = np.array([len(i) * text.work.weight for i, text in zip(ids, texts, strict=True)], float)
        tales = size * [text.work.tales for text in texts]
        if rename:
            ids = [renamed(text, encoder) if HEROINE in text.train else i for i, text in zip(ids, texts, strict=True)]
        return Diet(ids, size / size.sum(), tales / tales.sum())


# A model that meets one name everywhere knows it by heart, and need not look back for it. So half of the copies of a work in
# which it stands are about other girls: of novels and tales, and none of those in sentences.txt.
HEROINE = "Alice"
NAMES = ("Mary", "Jane", "Elizabeth", "Kitty", "Kate", "Clara", "Lucy", "Helga", "Ida", "Christina", "Rose", "Molly")


def renamed(text: corpus.Text, encoder: Tokenizer) -> np.ndarray:
    """The tokens of copies of a text, half of them as they are, half about a girl of each other name."""
    copies = [text.train] * len(NAMES) + [text.train.replace(HEROINE, name) for name in NAMES]
    return np.concatenate([encoder.encode(copy).ids for copy in copies])


# --- batches: rows of T + 1 tokens; the inputs are the first T, the targets the last T ------------------------------


def story_rows(diet: Diet, share: np.ndarray, n: int, T: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Windows from anywhere in the works, each work as often as its share: inputs and targets (n, T)."""
    rows = np.empty((n, T + 1), int)
    for row in rows:
        ids = diet.ids[rng.choice(len(diet.ids), p=share)]
        start = rng.integers(len(ids) - T)
        row[:] = ids[start : start + T + 1]
    return rows[:, :-1], rows[:, 1:]


def copy_rows(vocabulary: int, n: int, T: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random spans of 8 to 49 tokens, each repeated to fill its row. The first pass cannot be guessed and is no target."""
    rows, targets = np.empty((n, T + 1), int), np.empty((n, T), int)
    for row, target in zip(rows, targets, strict=True):
        span = rng.integers(vocabulary, size=rng.integers(8, 50))
        row[:] = np.resize(span, T + 1)
        target[:] = row[1:]
        target[: len(span) - 1] = IGNORE
    return rows[:, :-1], targets


def copies_in(step: int, settings: Settings) -> int:
    """How many rows of a batch, the first ones, are repeats."""
    return settings.batch if step < settings.copy_steps else round(settings.batch * settings.copy_share)


def batch(step: int, diet: Diet, settings: Settings, config: GPTConfig) -> tuple[Tensor, Tensor]:
    """The batch of a step, the same whenever it is asked for."""
    rng = np.random.default_rng([settings.seed, step])
    copies = copies_in(step, settings)
    share = diet.mixed if step < settings.novels_until * settings.steps else diet.tales
    parts = [
        copy_rows(config.vocabulary, copies, config.context, rng),
        story_rows(diet, share, settings.batch - copies, config.context, rng),
    ]
    inputs, targets = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return torch.from_numpy(inputs), torch.from_numpy(targets)


# --- the run --------------------------------------------------------------------------------------------------------


def pace(step: int, s: Settings) -> float:
    """The share of each learning rate: a short warm-up, then half a cosine (Loshchilov & Hutter, 2017)."""
    if step < s.warmup:
        return (step + 1) / s.warmup
    progress = (step - s.warmup) / max(1, s.steps - s.warmup)
    return s.final_rate + (1 - s.final_rate) * 0.5 * (1 + math.cos(math.pi * progress))


def optimizers(model: GPT, s: Settings) -> list[torch.optim.Optimizer]:
    """Muon (Jordan et al., 2024), its steps scaled to those of AdamW (Liu et al., 2025), and AdamW (Loshchilov & Hutter, 2019).

    Muon learns faster, and leaves heads smeared: after 2,000 steps of batches of 32 × 128 tokens no head of layer 2 gave
    «Alice» more than 16% of what «said» spends in chapter 10's sentence where it moved every matrix, and one gave 79%
    where AdamW did (one seed each). So queries and keys are left to AdamW.
    """
    by_muon = {"muon": ("attention", "mlp"), "hybrid": ("value", "out", "mlp"), "adamw": ()}[s.optimizer]
    parameters = dict(model.named_parameters())
    matrices = {name: p for name, p in parameters.items() if p.dim() == 2 and "embedding" not in name}
    muon = [p for name, p in matrices.items() if set(by_muon) & set(name.split("."))]
    adamw = [p for p in matrices.values() if not any(p is other for other in muon)]
    others = [p for name, p in parameters.items() if name not in matrices]
    groups = [{"params": adamw, "weight_decay": s.weight_decay}, {"params": others, "weight_decay": 0.0}]
    found: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, lr=s.learning_rate, betas=(0.9, 0.98), fused=True)]
    if muon:
        rate, decay = s.muon_rate, s.weight_decay
        found.append(torch.optim.Muon(muon, lr=rate, weight_decay=decay, adjust_lr_fn="match_rms_adamw"))
    for group in (group for optimizer in found for group in optimizer.param_groups):
        group["full_rate"] = group["lr"]
    return found


def processes() -> tuple[int, int]:
    """This process's number, and how many there are."""
    return (distributed.get_rank(), distributed.get_world_size()) if distributed.is_initialized() else (0, 1)


def head_mask(step: int, s: Settings, c: GPTConfig) -> Tensor:
    """Which heads are there for each row of the step's batch, (L, B, H): 1 or 0."""
    mask = torch.ones(c.layers, s.batch, c.heads)
    copies = copies_in(step, s)
    if step < s.copy_steps:
        mask[:, :, s.copy_heads :] = 0
    elif step < s.apart_until * s.steps:
        mask[-1, copies:, : s.copy_heads] = 0
    return mask


def fee(step: int, s: Settings) -> float:
    """Nats of loss for a nat of indecision."""
    progress = step / s.steps
    if progress < s.decisive_from:
        return 0.0
    return s.decisive * min(1.0, (1 - progress) / (1 - s.decisive_until))


def indecision(pattern: Tensor) -> Tensor:
    """The mean entropy of a head's rows in nats (Shannon, 1948), summed over heads: (B, H, T, S) -> ()."""
    p = pattern.float()
    return -(p * p.clamp_min(1e-9).log()).sum(-1).mean((0, 2)).sum()  # the slope at 0 is infinite, and stays out


def train_step(model: torch.nn.Module, opts: list[torch.optim.Optimizer], step: int, diet: Diet, s: Settings, c: GPTConfig) -> None:
    """One update of `model`, a GPT or one that is shared among processes."""
    rank, world = processes()
    for group in (group for optimizer in opts for group in optimizer.param_groups):
        group["lr"] = group["full_rate"] * pace(step, s)
    inputs, targets = batch(step, diet, s, c)
    switches = Switches.off(c)._replace(head_mask=head_mask(step, s, c)[:, rank::world])
    model.train(step >= s.copy_steps)  # thinned out, the trick is not found
    torch.manual_seed((s.seed * 1_000_003 + step) * world + rank)  # dropout
    with torch.autocast("cpu", torch.bfloat16):
        logits, _, attended = model(inputs[rank::world], torch.arange(inputs.shape[1]), switches)  # (B, T, V)
    nats = F.cross_entropy(logits.float().flatten(0, 1), targets[rank::world].flatten(), ignore_index=IGNORE, reduction="sum")
    loss = nats * world / (targets != IGNORE).sum()  # gradients are averaged over processes, of which each has a part
    if price := fee(step, s):
        loss = loss + price * indecision(attended[-1].pattern)
    for optimizer in opts:
        optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), s.clip)
    for optimizer in opts:
        optimizer.step()


@dataclass
class Measure:
    """What a line of the log says, measured with dropout off on the same rows every time."""

    stories: tuple[Tensor, Tensor]
    copies: tuple[Tensor, Tensor]
    unread: list[corpus.Text]  # scored at each line; none in the run that is shipped
    encoder: Tokenizer

    @staticmethod
    def of(unread: list[corpus.Text], encoder: Tokenizer, diet: Diet, config: GPTConfig) -> "Measure":
        rng = np.random.default_rng(0)
        stories = story_rows(diet, diet.tales, 128, config.context, rng)
        copies = copy_rows(config.vocabulary, 32, config.context, rng)
        rows = [(torch.from_numpy(inputs), torch.from_numpy(targets)) for inputs, targets in (stories, copies)]
        return Measure(rows[0], rows[1], unread, encoder)

    def line(self, model: GPT, step: int, tokens: int, seconds: float) -> dict:
        """loss and copy_loss in nats a token, both on what is trained with; bits_per_byte of what is not, where asked for."""

        def mean(rows: tuple[Tensor, Tensor]) -> float:
            return evaluate.nats(model, *rows) / int((rows[1] != IGNORE).sum())

        measured = {"loss": mean(self.stories), "copy_loss": mean(self.copies)}
        if self.unread:
            measured["bits_per_byte"] = evaluate.overall(evaluate.score_works(model, self.encoder, self.unread)).bits_per_byte
        rounded = {name: round(number, 4) for name, number in measured.items()}
        return {"step": step, "tokens": tokens, **rounded, "seconds": round(seconds, 1)}


def checkpoint_steps(steps: int) -> set[int]:
    """The step before training, then powers of two, then the last: a dozen or so, closest where most happens."""
    return {0, steps} | {2**i for i in range(4, 30) if 2**i < steps}


def save(path: Path, content: dict) -> None:
    """Whole or not at all: a run killed while saving keeps its last checkpoint."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


def identity(settings: Settings, config: GPTConfig, world: int, texts: list[corpus.Text], encoder: Tokenizer) -> dict:
    """Whatever has to be the same for a run to go on as it began."""
    text = hashlib.sha256("".join(text.train for text in texts).encode()).hexdigest()
    return {
        "settings": asdict(settings),
        "sizes": asdict(config),
        "number of processes": world,
        "training text": text,
        "tokenizer": hashlib.sha256(encoder.to_str().encode()).hexdigest(),
    }


class Run:
    """A training run that lives in a folder: checkpoints, the tokenizer, and what is needed to go on after a kill.

    Among several processes the first one keeps the folder and the log.
    """

    def __init__(self, settings: Settings, folder: Path, texts: list[corpus.Text], config: GPTConfig, score: bool = False):
        self.settings, self.folder, self.config = settings, folder, config
        self.rank, world = processes()
        folder.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(max(1, settings.threads // world))
        encoder = tokenizer.train(corpus.tales(texts), config.vocabulary)
        self.identity = identity(settings, config, world, texts, encoder)
        torch.manual_seed(settings.seed)
        self.model = GPT(config)
        self.optimizers = optimizers(self.model, settings)
        self.diet = Diet.of(texts, encoder, settings.rename)
        self.measure = Measure.of(corpus.tales(texts) if score else [], encoder, self.diet, config)
        self.step, self.log, self.seconds = 0, [], 0.0  # `step` updates have been made, in so many seconds
        self.resume()
        if self.rank == 0:
            tokenizer.save(encoder, folder / "tokenizer.json")
        self.shared = DistributedDataParallel(self.model) if world > 1 else self.model

    def resume(self) -> None:
        path = self.folder / "resume.pt"
        if not path.exists():
            return
        saved = torch.load(path, weights_only=False)
        if other := [name for name, value in self.identity.items() if saved.get("identity", {}).get(name) != value]:
            raise SystemExit(f"{path} is of a run with other {', '.join(other)}; delete {self.folder}, or train in another folder")
        self.model.load_state_dict(saved["model"])
        for optimizer, state in zip(self.optimizers, saved["optimizers"], strict=True):
            optimizer.load_state_dict(state)
        self.step, self.log, self.seconds = saved["step"], saved["log"], saved["seconds"]

    def save(self) -> None:
        state = {"model": self.model.state_dict(), "optimizers": [optimizer.state_dict() for optimizer in self.optimizers]}
        progress = {"step": self.step, "log": self.log, "seconds": self.seconds, "identity": self.identity}
        save(self.folder / "resume.pt", state | progress)

    def note(self) -> str:
        """Add a line to the log; returns it with the speed since the line before."""
        tokens = self.step * self.settings.batch * self.config.context
        self.log.append(self.measure.line(self.model, self.step, tokens, self.seconds))
        before = self.log[-2] if len(self.log) > 1 else self.log[-1]
        speed = (tokens - before["tokens"]) / max(1e-9, self.seconds - before["seconds"])
        return f"{json.dumps(self.log[-1])}  {speed:,.0f} tokens/s"

    def keep(self, bar: tqdm, last: bool) -> None:
        """The log and the files of this step."""
        s = self.settings
        if (self.step % s.log_every == 0 or last) and (not self.log or self.log[-1]["step"] < self.step):
            bar.write(self.note())
        if self.step in checkpoint_steps(s.steps):
            save(self.folder / f"step-{self.step:06}.pt", {"model": self.model.state_dict(), "identity": self.identity})
        if last or self.step % s.save_every == 0:
            self.save()

    def to(self, end: int) -> None:
        """Train until `end` updates have been made."""
        self.model.train()
        bar = tqdm(total=self.settings.steps, initial=self.step, unit="step", disable=self.rank > 0)
        while True:
            last = self.step >= end
            if self.rank == 0:
                self.keep(bar, last)
            if last:
                return
            began = time.monotonic()
            train_step(self.shared, self.optimizers, self.step, self.diet, self.settings, self.config)
            self.seconds += time.monotonic() - began
            self.step += 1
            bar.update()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=Settings.steps)
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--run", type=Path, default=RUN, help="where checkpoints go")
    parser.add_argument("--stop-after", type=int, help="stop early, as a killed run would")
    args = parser.parse_args()
    if "WORLD_SIZE" in os.environ:  # torchrun
        distributed.init_process_group("gloo")
    settings = Settings(steps=args.steps, seed=args.seed)
    rank, world = processes()
    if rank > 0:
        distributed.barrier()  # until the first process has fetched the text
    texts = corpus.load()
    if rank == 0 and world > 1:
        distributed.barrier()
    run = Run(settings, args.run, texts, config_of(settings))
    run.to(settings.steps if args.stop_after is None else min(settings.steps, args.stop_after))
    if distributed.is_initialized():
        distributed.destroy_process_group()


if __name__ == "__main__":
    main()
