"""What numpy says of the knob's draws, for the JavaScript test to compare with: prints one JSON object.

The algorithm is d3-random's, as published: uniform numbers of the linear congruential generator of Numerical Recipes
(1664525 x + 1013904223 modulo 2^32), normal ones by Marsaglia's polar method, the second of a pair kept for the next call.
"""

import json
import sys

import numpy as np

from app.units import Value, show

MULTIPLIER, INCREMENT, MASK = 0x19660D, 0x3C6EF35F, 2**32 - 1
WIDEST, PAIRS, MOST_KEYS = 512, 1000, 32
NUMBERS = [0, 1, 8, 7.8, 0.5512, 22.627, 4.404, 35.96, 0.0149, 1234.6, 0.000123456, 3.456e-9, -2.5, 99.96, 0.9996]


def uniforms(seed: int, count: int) -> np.ndarray:
    """`count` numbers in [0, 1), after the eight that the knob throws away; each round leaps as far as all before it."""
    states = np.array([(MULTIPLIER * seed + INCREMENT) & MASK], dtype=np.uint64)
    factor, summand = MULTIPLIER, INCREMENT  # one leap over len(states) steps
    while len(states) < count + 8:
        leap = (states * np.uint64(factor) + np.uint64(summand)) & np.uint64(MASK)  # wraps at 2^64, which 2^32 divides
        states = np.concatenate([states, leap])
        factor, summand = (factor * factor) & MASK, (factor * summand + summand) & MASK
    return states[8 : count + 8] / 2.0**32


def normals(seed: int, count: int) -> np.ndarray:
    x, y = (uniforms(seed, 4 * count) * 2 - 1).reshape(-1, 2).T
    r = x * x + y * y
    good = (r > 0) & (r <= 1)
    x, y, r = x[good], y[good], r[good]
    stretch = np.sqrt(-2 * np.log(r) / r)
    return np.stack([y * stretch, x * stretch], axis=1).ravel()[:count]


def softmax(scores: np.ndarray) -> np.ndarray:
    exps = np.exp(scores - scores.max())
    return exps / exps.sum()


def draw(seed: int) -> dict[str, object]:
    vectors = normals(seed, 2 * PAIRS * WIDEST).reshape(-1, WIDEST)
    query, keys = vectors[0], vectors[1 : MOST_KEYS + 1]
    spread = np.cumsum(vectors[0::2] * vectors[1::2], axis=1).std(axis=0)
    rows = {}
    for dk in (1, 2, 3, 64, 100, 512):
        scores = keys[:12, :dk] @ query[:dk]
        rows[dk] = [[each.tolist(), softmax(each).tolist()] for each in (scores, scores / np.sqrt(dk))]
    return {"seed": seed, "query": query.tolist(), "keys": keys.tolist(), "spread": spread.tolist(), "rows": rows}


if __name__ == "__main__":
    numbers = [[number, show(Value(number))] for number in NUMBERS]
    json.dump({"draws": [draw(seed) for seed in (0, 1, 999_999)], "numbers": numbers}, sys.stdout)
