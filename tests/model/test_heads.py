"""What is said of the heads, on patterns built by hand whose roles are known."""

import dataclasses

import numpy as np
import pytest
import torch

from model import corpus, evaluate, train
from model.manifest import Role

TOKENS = torch.tensor([[7, 8, 9, 7, 8, 9]])
T = TOKENS.shape[1]
EVEN = torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None]


@pytest.mark.parametrize(
    ("wanted", "query", "key"),
    [
        (evaluate.previous_token, 3, 2),
        (evaluate.first_token, 4, 0),
        (evaluate.same_token, 3, 0),
        (evaluate.induction, 3, 1),
    ],
)
def test_a_role_wants_the_key_that_it_is_named_for(wanted, query, key):
    assert wanted(TOKENS)[0, query].nonzero().flatten().tolist() == [key]


@pytest.mark.parametrize("wanted", [evaluate.previous_token, evaluate.first_token, evaluate.same_token, evaluate.induction])
def test_a_head_that_does_nothing_else_scores_1_and_an_even_one_its_baseline(wanted):
    keys = wanted(TOKENS)
    one = torch.where(keys.any(-1, keepdim=True), keys / keys.sum(-1, keepdim=True).clamp_min(1), EVEN)
    pattern = torch.stack([one[0], EVEN])[None, None]  # (1, 1, 2 heads, T, S)
    score, baseline = evaluate.role(pattern, keys)
    assert score[0].tolist() == pytest.approx([1, float(baseline)])


def test_the_baseline_of_a_previous_token_head_is_what_arithmetic_says():
    _, baseline = evaluate.role(EVEN.expand(1, 1, 1, T, T), evaluate.previous_token(TOKENS))
    assert float(baseline) == pytest.approx(sum(1 / t for t in range(2, T + 1)) / (T - 1))


@pytest.mark.parametrize(
    ("score", "baseline", "said"),
    [(0.9, 0.03, "previous token"), (0.29, 0.03, "no role found"), (0.5, 0.2, "no role found")],
)
def test_a_verdict_needs_a_share_and_a_lift(score, baseline, said):
    roles = [Role("first token", 0.01, 0.03, ""), Role("previous token", score, baseline, "")]
    assert evaluate.verdict(roles) == said


def test_the_diet_reads_a_heavier_work_more_often():
    class Letters:
        def encode(self, text):
            return type("Encoding", (), {"ids": list(text.encode())})

    texts = [
        corpus.Text(dataclasses.replace(work, weight=weight), letter * 100, "")
        for work, weight, letter in zip(corpus.WORKS, (3, 1), "ab", strict=False)
    ]
    diet = train.Diet.of(texts, Letters())
    inputs, _ = train.story_rows(diet, 4000, 8, np.random.default_rng(0))
    assert (inputs == ord("a")).mean() == pytest.approx(3 / 4, abs=0.03)
