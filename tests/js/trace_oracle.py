"""What numpy says of one query's attention, for the JavaScript tests to compare with: prints JSON, made at test time."""

import json
import sys

import numpy as np

SHAPES = [(1, 1, 1), (4, 3, 4), (6, 8, 2), (32, 128, 32)]
"""d, S, dv"""


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray, masked: np.ndarray) -> dict:
    scores = k @ q / np.sqrt(len(q))
    reached = np.where(masked, -np.inf, scores)
    weights = np.exp(reached - np.logaddexp.reduce(reached))
    return {"dots": (k @ q).tolist(), "scores": scores.tolist(), "weights": weights.tolist(), "blend": (weights @ v).tolist()}


def main() -> None:
    chance = np.random.default_rng(1)
    cases = []
    for d, size, dv in SHAPES:
        for scale in (0.5, 3, 300):
            q, k, v = (chance.normal(0, scale, shape) for shape in ((d,), (size, d), (size, dv)))
            masked = np.arange(size) > size // 2
            given = {"q": q.tolist(), "k": k.tolist(), "v": v.tolist(), "masked": masked.tolist()}
            cases.append(given | {"expected": attend(q, k, v, masked)})
    json.dump(cases, sys.stdout)


if __name__ == "__main__":
    main()
