"""How good the model is, in numbers that another model can be held against.

Bits per byte: the last tenth by characters of each work, never seen by tokenizer or training, cut into windows of the
context length, each beginning with the last token of the one before, so that every token but a work's first is
predicted exactly once; the sum of the surprises in bits over the number of bytes predicted.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from model.corpus import Text
from model.gpt import GPT, Switches
from model.manifest import Head, Role

IGNORE = -1  # a target that does not count
BATCH = 64


@dataclass(frozen=True)
class Score:
    """The surprise of a text: nats in all, over how many tokens and bytes."""

    nats: float
    tokens: int
    bytes: int

    @property
    def loss(self) -> float:
        """Nats a token."""
        return self.nats / self.tokens

    @property
    def bits_per_byte(self) -> float:
        return self.nats / math.log(2) / self.bytes

    def __add__(self, other: "Score") -> "Score":
        return Score(self.nats + other.nats, self.tokens + other.tokens, self.bytes + other.bytes)


def windows(ids: list[int], context: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs and targets (N, context): each token but the first is a target once; what pads the last row is IGNORE.

    >>> windows([5, 6, 7, 8], 2)[1].tolist()
    [[6, 7], [8, -1]]
    """
    rows = -(-(len(ids) - 1) // context)
    padded = np.full(rows * context + 1, IGNORE)
    padded[: len(ids)] = ids
    inputs = np.maximum(padded[:-1], 0).reshape(rows, context)
    return torch.from_numpy(inputs), torch.from_numpy(padded[1:].reshape(rows, context))


@torch.no_grad()
def nats(model: GPT, inputs: torch.Tensor, targets: torch.Tensor) -> float:
    """The sum of -ln p(target) over every target that counts; dropout off."""
    was_training = model.training
    model.eval()
    total = 0.0
    for x, y in zip(inputs.split(BATCH), targets.split(BATCH), strict=True):
        logits = model.predict(x)  # (B, T, V)
        total += F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=IGNORE, reduction="sum").item()
    model.train(was_training)
    return total


def score(model: GPT, tokenizer: Tokenizer, text: str) -> Score:
    ids = tokenizer.encode(text).ids
    first = len(tokenizer.decode(ids[:1]).encode())
    return Score(nats(model, *windows(ids, model.config.context)), len(ids) - 1, len(text.encode()) - first)


def score_works(model: GPT, tokenizer: Tokenizer, texts: list[Text]) -> dict[str, Score]:
    """The held-out score of each work, by name."""
    return {text.work.name: score(model, tokenizer, text.held_out) for text in texts}


def overall(scores: dict[str, Score]) -> Score:
    return sum(scores.values(), Score(0.0, 0, 0))


# --- what the heads do ----------------------------------------------------------------------------------------------

HELD_OUT_ROWS = 64
REPEATS = 64
SPAN = 32  # tokens of a random span that is read twice
# A verdict names the strongest role that takes at least this share, and this many times what an even spread would give.
LEAST_SHARE, LEAST_LIFT = 0.3, 3.0


def heads(model: GPT, tokenizer: Tokenizer, texts: list[Text]) -> list[Head]:
    """Every head's roles with score and baseline, and a verdict that may be "no role found"."""
    stories, repeats = story_windows(model, tokenizer, texts), repeated_spans(model)
    held_out = f"{len(stories)} windows of held-out text"
    repeated = f"{REPEATS} spans of {SPAN} random tokens, each read twice"
    in_stories, in_repeats = patterns(model, stories), patterns(model, repeats)
    measured = [
        ("previous token", role(in_stories, previous_token(stories)), held_out),
        ("first token", role(in_stories, first_token(stories)), held_out),
        ("same token", role(in_stories, same_token(stories)), held_out),
        ("induction", role(in_repeats, induction(repeats)), repeated),
    ]
    found = []
    for layer in range(model.config.layers):
        for head in range(model.config.heads):
            roles = [Role(n, round(float(s[layer, head]), 4), round(float(b), 4), t) for n, (s, b), t in measured]
            found.append(Head(layer, head, roles, verdict(roles)))
    return found


def story_windows(model: GPT, tokenizer: Tokenizer, texts: list[Text]) -> torch.Tensor:
    """Whole windows of held-out text (N, T), spread over all works."""
    cut = [windows(tokenizer.encode(text.held_out).ids, model.config.context) for text in texts]
    whole = torch.cat([inputs[(targets != IGNORE).all(1)] for inputs, targets in cut])
    return whole[:: max(1, len(whole) // HELD_OUT_ROWS)][:HELD_OUT_ROWS]


def repeated_spans(model: GPT) -> torch.Tensor:
    """Spans of random tokens, each read twice: (N, 2·SPAN)."""
    spans = np.random.default_rng(0).integers(model.config.vocabulary, size=(REPEATS, SPAN))
    return torch.from_numpy(np.concatenate([spans, spans], 1))


def verdict(roles: list[Role]) -> str:
    best = max(roles, key=lambda role: role.score)
    return best.name if best.score >= LEAST_SHARE and best.score >= LEAST_LIFT * best.baseline else "no role found"


@torch.no_grad()
def patterns(model: GPT, tokens: torch.Tensor) -> torch.Tensor:
    """tokens (N, T) -> (N, L, H, T, S)."""
    _, _, attended = model(tokens, torch.arange(tokens.shape[1]), Switches.off(model.config))
    return torch.stack([layer.pattern for layer in attended], 1)


def role(pattern: torch.Tensor, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean share (L, H) that each head gives to the keys a role wants, and the share an even spread would give.

    `pattern` (N, L, H, T, S), `wanted` (N, T, S). Only queries count that may look at such a key.
    """
    T = wanted.shape[1]
    keys = wanted & torch.ones(T, T, dtype=torch.bool).tril()  # (N, T, S)
    asks = keys.any(-1)  # (N, T)
    share = (pattern * keys[:, None, None]).sum(-1)  # (N, L, H, T)
    even = keys.sum(-1) / torch.arange(1, T + 1)  # (N, T)
    return (share * asks[:, None, None]).sum((0, 3)) / asks.sum(), even[asks].mean()


def previous_token(tokens: torch.Tensor) -> torch.Tensor:
    N, T = tokens.shape
    return torch.eye(T, dtype=torch.bool).roll(-1, 1).tril().expand(N, T, T)


def first_token(tokens: torch.Tensor) -> torch.Tensor:
    """The first position, for every query but the first, which has nothing else."""
    N, T = tokens.shape
    keys = torch.zeros(N, T, T, dtype=torch.bool)
    keys[:, 1:, 0] = True
    return keys


def same_token(tokens: torch.Tensor) -> torch.Tensor:
    """Earlier occurrences of the asking token."""
    T = tokens.shape[1]
    return (tokens[:, :, None] == tokens[:, None, :]) & torch.ones(T, T, dtype=torch.bool).tril(-1)


def induction(tokens: torch.Tensor) -> torch.Tensor:
    """The token after the asking token's earlier occurrence."""
    return same_token(tokens).roll(1, 2)
