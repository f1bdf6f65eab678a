"""Train the model: corpus, tokenizer, a lesson in copying, then stories. `python -m model.train`, one command from nothing.

First the model sees nothing but random spans that repeat, until it has found the trick of looking back at what came
after the earlier occurrence; then stories, with a few such rows kept in every batch so that the trick is not lost. One
head of each layer takes the lesson, the others are silenced: were all of them to take it, most would stay with it.

Everything random is drawn anew at each step from (seed, step): a killed run, started again, goes on from its last
checkpoint to the same result, bit for bit on the same kind of machine.
"""

import argparse
import json
import math
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional as F
from tqdm import tqdm

from model import corpus, evaluate, tokenizer
from model.evaluate import IGNORE
from model.gpt import GPT, GPTConfig, Switches

RUN = Path(__file__).parent.parent / ".build" / "train"


@dataclass(frozen=True)
class Settings:
    steps: int = 9_000
    batch: int = 32  # rows of `context` tokens
    copy_steps: int = 600  # at first, nothing but repeats: the trick appears abruptly before step 400
    copy_heads: int = 1  # of each layer take that lesson; the others are kept free for stories
    copy_share: float = 1 / 8  # of each later batch
    learning_rate: float = 3e-3
    final_rate: float = 1e-4  # the end of the cosine
    warmup: int = 100
    weight_decay: float = 0.1  # of matrices; norms and embeddings are left alone
    dropout: float = 0.1
    clip: float = 1.0
    seed: int = 1
    threads: int = 1  # sums over two threads round otherwise, and two wait for each other on a busy machine
    log_every: int = 250
    save_every: int = 250


@dataclass(frozen=True)
class Diet:
    """The training tokens of each work, and how likely a row of a batch comes from each."""

    ids: list[np.ndarray]
    share: np.ndarray

    @staticmethod
    def of(texts: list[corpus.Text], encoder: Tokenizer) -> "Diet":
        ids = [np.array(encoder.encode(text.train).ids) for text in texts]
        size = np.array([len(i) * text.work.weight for i, text in zip(ids, texts, strict=True)], float)
        return Diet(ids, size / size.sum())


# --- batches: rows of T + 1 tokens; the inputs are the first T, the targets the last T ------------------------------


def story_rows(diet: Diet, n: int, T: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Windows from anywhere in the works: inputs and targets (n, T)."""
    rows = np.empty((n, T + 1), int)
    for row in rows:
        ids = diet.ids[rng.choice(len(diet.ids), p=diet.share)]
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


def batch(step: int, diet: Diet, settings: Settings, config: GPTConfig) -> tuple[torch.Tensor, torch.Tensor]:
    """The batch of a step, the same whenever it is asked for."""
    rng = np.random.default_rng([settings.seed, step])
    copies = settings.batch if step < settings.copy_steps else round(settings.batch * settings.copy_share)
    parts = [
        copy_rows(config.vocabulary, copies, config.context, rng),
        story_rows(diet, settings.batch - copies, config.context, rng),
    ]
    inputs, targets = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return torch.from_numpy(inputs), torch.from_numpy(targets)


# --- the run --------------------------------------------------------------------------------------------------------


def learning_rate(step: int, s: Settings) -> float:
    """A short warm-up, then half a cosine (Loshchilov & Hutter, 2017)."""
    if step < s.warmup:
        return s.learning_rate * (step + 1) / s.warmup
    progress = (step - s.warmup) / max(1, s.steps - s.warmup)
    return s.final_rate + (s.learning_rate - s.final_rate) * 0.5 * (1 + math.cos(math.pi * progress))


def optimiser(model: GPT, s: Settings) -> torch.optim.AdamW:
    decayed = [p for name, p in model.named_parameters() if p.dim() == 2 and "embedding" not in name]
    kept = [p for name, p in model.named_parameters() if p.dim() != 2 or "embedding" in name]
    groups = [{"params": decayed, "weight_decay": s.weight_decay}, {"params": kept, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=s.learning_rate, betas=(0.9, 0.98), fused=True)


def train_step(model: GPT, optimizer: torch.optim.Optimizer, step: int, diet: Diet, s: Settings) -> None:
    for group in optimizer.param_groups:
        group["lr"] = learning_rate(step, s)
    inputs, targets = batch(step, diet, s, model.config)
    switches = Switches.off(model.config)
    if step < s.copy_steps:
        switches.head_mask[:, s.copy_heads :] = 0
    torch.manual_seed(s.seed * 1_000_003 + step)  # dropout
    logits, _, _ = model(inputs, torch.arange(inputs.shape[1]), switches)  # (B, T, V)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), s.clip)
    optimizer.step()


@dataclass
class Measure:
    """What a line of the log says, measured with dropout off on the same rows every time."""

    stories: tuple[torch.Tensor, torch.Tensor]
    copies: tuple[torch.Tensor, torch.Tensor]
    texts: list[corpus.Text]
    encoder: Tokenizer

    @staticmethod
    def of(texts: list[corpus.Text], encoder: Tokenizer, diet: Diet, config: GPTConfig) -> "Measure":
        rng = np.random.default_rng(0)
        stories = story_rows(diet, 128, config.context, rng)
        copies = copy_rows(config.vocabulary, 32, config.context, rng)
        rows = [(torch.from_numpy(inputs), torch.from_numpy(targets)) for inputs, targets in (stories, copies)]
        return Measure(rows[0], rows[1], texts, encoder)

    def line(self, model: GPT, step: int, tokens: int, seconds: float) -> dict:
        """loss and copy_loss in nats a token, held_out_bits_per_byte as `evaluate` defines them."""

        def mean(rows: tuple[torch.Tensor, torch.Tensor]) -> float:
            return evaluate.nats(model, *rows) / int((rows[1] != IGNORE).sum())

        held_out = evaluate.overall(evaluate.score_works(model, self.encoder, self.texts))
        return {
            "step": step,
            "tokens": tokens,
            "loss": round(mean(self.stories), 4),
            "copy_loss": round(mean(self.copies), 4),
            "held_out_loss": round(held_out.loss, 4),
            "held_out_bits_per_byte": round(held_out.bits_per_byte, 4),
            "seconds": round(seconds, 1),
        }


def checkpoint_steps(steps: int) -> set[int]:
    """The step before training, then powers of two, then the last: a dozen or so, closest where most happens."""
    return {0, steps} | {2**i for i in range(4, 30) if 2**i < steps}


def save(path: Path, content: dict) -> None:
    """Whole or not at all: a run killed while saving keeps its last checkpoint."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


class Run:
    """A training run that lives in a folder: checkpoints, the tokenizer, and what is needed to go on after a kill."""

    def __init__(self, settings: Settings, folder: Path, texts: list[corpus.Text], config: GPTConfig):
        self.settings, self.folder = settings, folder
        folder.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(settings.threads)
        encoder = tokenizer.train(texts, config.vocabulary)
        tokenizer.save(encoder, folder / "tokenizer.json")
        torch.manual_seed(settings.seed)
        self.model = GPT(config)
        self.optimizer = optimiser(self.model, settings)
        self.diet = Diet.of(texts, encoder)
        self.measure = Measure.of(texts, encoder, self.diet, config)
        self.step, self.log, self.seconds = 0, [], 0.0  # `step` updates have been made, in so many seconds
        self.resume()

    def resume(self) -> None:
        path = self.folder / "resume.pt"
        if not path.exists():
            return
        saved = torch.load(path, weights_only=False)
        if saved["settings"] != asdict(self.settings):
            raise SystemExit(f"{path} is of a run with other settings; delete it, or train with --run elsewhere")
        self.model.load_state_dict(saved["model"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, self.log, self.seconds = saved["step"], saved["log"], saved["seconds"]

    def save(self) -> None:
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        progress = {"step": self.step, "log": self.log, "seconds": self.seconds, "settings": asdict(self.settings)}
        save(self.folder / "resume.pt", state | progress)

    def note(self) -> str:
        """Add a line to the log; returns it with the speed since the line before."""
        tokens = self.step * self.settings.batch * self.model.config.context
        self.log.append(self.measure.line(self.model, self.step, tokens, self.seconds))
        before = self.log[-2] if len(self.log) > 1 else self.log[-1]
        speed = (tokens - before["tokens"]) / max(1e-9, self.seconds - before["seconds"])
        return f"{json.dumps(self.log[-1])}  {speed:,.0f} tokens/s"

    def to(self, end: int) -> None:
        """Train until `end` updates have been made."""
        self.model.train()
        bar = tqdm(total=self.settings.steps, initial=self.step, unit="step")
        while True:
            s, last = self.settings, self.step >= end
            if (self.step % s.log_every == 0 or last) and (not self.log or self.log[-1]["step"] < self.step):
                bar.write(self.note())
            if self.step in checkpoint_steps(s.steps):
                save(self.folder / f"step-{self.step:06}.pt", {"model": self.model.state_dict(), "step": self.step})
            if last or self.step % s.save_every == 0:
                self.save()
            if last:
                return
            began = time.monotonic()
            train_step(self.model, self.optimizer, self.step, self.diet, s)
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
    settings = Settings(steps=args.steps, seed=args.seed)
    run = Run(settings, args.run, corpus.load(), GPTConfig(dropout=settings.dropout))
    run.to(settings.steps if args.stop_after is None else min(settings.steps, args.stop_after))


if __name__ == "__main__":
    main()
