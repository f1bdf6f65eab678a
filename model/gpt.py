"""The model: a causal transformer of two blocks, in one file, everything it computes on its way an output.

Pre-norm blocks (RMSNorm: Zhang & Sennrich, 2019), GELU (Hendrycks & Gimpel, 2016), tied embeddings (Press & Wolf,
2017). Learned positions are added to what queries and keys are made of, and to nothing else, so the residual stream
carries none and a value says what a token is, never where it stands.

Shapes: B batch, T tokens (the queries), P cached tokens, S = P + T (the keys), L layers, H heads, D width, Dh head
size, V vocabulary, C context length.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class GPTConfig:
    layers: int = 2
    heads: int = 4
    width: int = 192
    vocabulary: int = 1024
    context: int = 128
    dropout: float = 0.0  # of what is written into the stream, in training alone; patterns are never thinned

    def __post_init__(self):
        assert self.width % self.heads == 0, f"width {self.width} is not a multiple of {self.heads} heads"

    @property
    def head_size(self) -> int:
        return self.width // self.heads


class Switches(NamedTuple):
    """What a reader may change about a run. Defaults change nothing."""

    position_scale: Tensor  # (1,)    1, or 0 to switch positions off
    head_mask: Tensor  # (L, H)  1 keeps a head, 0 silences it
    mlp_mask: Tensor  # (L,)    likewise for each feed-forward half
    past_k: Tensor  # (L, H, P, Dh)
    past_v: Tensor  # (L, H, P, Dh)

    @staticmethod
    def off(config: GPTConfig) -> "Switches":
        empty = torch.zeros(config.layers, config.heads, 0, config.head_size)
        return Switches(torch.ones(1), torch.ones(config.layers, config.heads), torch.ones(config.layers), empty, empty)


class Attended(NamedTuple):
    """What one attention half computes on its way."""

    scores: Tensor  # (B, H, T, S)  q·k/√Dh, before mask and softmax
    pattern: Tensor  # (B, H, T, S)
    q: Tensor  # (B, H, T, Dh)  as multiplied, positions included
    k: Tensor  # (B, H, S, Dh)
    v: Tensor  # (B, H, S, Dh)


class RMSNorm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


class Projection(nn.Module):
    """x @ W, without a bias; W is kept as the book writes it, rows for what goes in and columns for what comes out."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight  # (…, inputs) @ (inputs, outputs) -> (…, outputs)


class Attention(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.heads, self.head_size = config.heads, config.head_size
        self.query = Projection(config.width, config.width)
        self.key = Projection(config.width, config.width)
        self.value = Projection(config.width, config.width)
        self.out = Projection(config.width, config.width)

    def split(self, x: Tensor) -> Tensor:
        B, T, _ = x.shape
        return x.view(B, T, self.heads, self.head_size).transpose(1, 2)  # (B, T, D) -> (B, H, T, Dh)

    def forward(self, x: Tensor, p: Tensor, head_mask: Tensor, past_k: Tensor, past_v: Tensor):
        """x (B, T, D) normed stream; p (T, D) positions; head_mask (H,); past (B, H, P, Dh) -> (B, T, D), Attended."""
        B, T, D = x.shape
        q = self.split(self.query(x + p))  # (B, H, T, Dh)
        k = torch.cat([past_k, self.split(self.key(x + p))], 2)  # (B, H, S, Dh)
        v = torch.cat([past_v, self.split(self.value(x))], 2)  # (B, H, S, Dh)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_size)  # (B, H, T, Dh) @ (B, H, Dh, S) -> (B, H, T, S)
        S, P = k.shape[2], past_k.shape[2]
        later = torch.arange(S) > torch.arange(T)[:, None] + P  # (T, S)  True where the key comes after the query
        pattern = scores.masked_fill(later, float("-inf")).softmax(-1)  # (B, H, T, S)
        mixed = pattern @ v * head_mask[..., None, None]  # (B, H, T, S) @ (B, H, S, Dh) -> (B, H, T, Dh)
        out = self.out(mixed.transpose(1, 2).reshape(B, T, D))  # (B, T, D)
        return out, Attended(scores, pattern, q, k, v)


class FeedForward(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.up = Projection(config.width, 4 * config.width)
        self.down = Projection(4 * config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x)))  # (B, T, D) -> (B, T, 4D) -> (B, T, D)


class Block(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.attention_norm, self.attention = RMSNorm(config.width), Attention(config)
        self.mlp_norm, self.mlp = RMSNorm(config.width), FeedForward(config)
        self.dropout = nn.Dropout(config.dropout)


class GPT(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocabulary, config.width)
        self.position_embedding = nn.Embedding(config.context, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.final_norm = RMSNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)
        self.initialise()

    def initialise(self) -> None:
        """Small normal weights; what writes into the stream is scaled down with depth (GPT-2's way).

        Positions are added to a normed stream, whose entries are about 1: as small as the rest they would go unheard,
        and no head would learn to look one step back.
        """
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                writes = name.endswith(("out.weight", "down.weight"))
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * self.config.layers) if writes else 0.02)
        nn.init.normal_(self.position_embedding.weight, std=0.5)

    def forward(self, tokens: Tensor, positions: Tensor, switches: Switches) -> tuple[Tensor, Tensor, list[Attended]]:
        """tokens (B, T), positions (T,) -> logits (B, T, V), residual (2L+1, B, T, D), one Attended a layer.

        The logits of token t say what token t + 1 may be.
        """
        B = tokens.shape[0]
        p = self.position_embedding(positions) * switches.position_scale  # (T, D)
        x = self.dropout(self.token_embedding(tokens))  # (B, T, D)
        residual, attended = [x], []
        for layer, block in enumerate(self.blocks):
            past_k = switches.past_k[layer].expand(B, -1, -1, -1)  # (B, H, P, Dh)
            past_v = switches.past_v[layer].expand(B, -1, -1, -1)
            a, seen = block.attention(block.attention_norm(x), p, switches.head_mask[layer], past_k, past_v)
            x = x + block.dropout(a)
            residual.append(x)
            x = x + block.dropout(block.mlp(block.mlp_norm(x))) * switches.mlp_mask[layer]
            residual.append(x)
            attended.append(seen)
        logits = F.linear(self.final_norm(x), self.token_embedding.weight)  # (B, T, D) @ (D, V) -> (B, T, V)
        return logits, torch.stack(residual), attended

    def predict(self, tokens: Tensor) -> Tensor:
        """Logits (B, T, V) of a plain run, for training and evaluation."""
        return self(tokens, torch.arange(tokens.shape[1]), Switches.off(self.config))[0]
