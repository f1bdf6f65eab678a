"""The figures that are published are those of the shipped file: scored again by onnxruntime, and read back from the card."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from model import card, corpus, evaluate, manifest
from model.runtime import Runtime

HERE = manifest.ARTIFACTS.parent


@pytest.fixture(scope="module")
def alice() -> str:
    """The held-out tenth, fetched as training fetches it."""
    [work] = [work for work in corpus.WORKS if work.name == "alice"]
    return corpus.split(work.clean(corpus.fetch(work)))[1]


def surprises(runtime: Runtime, ids: list[int]) -> Iterator[float]:
    """-ln p of every token but the first, in windows that begin with the last token of the one before."""
    context = runtime.manifest.config.context
    for start in range(0, len(ids) - 1, context):
        window = ids[start : start + context + 1]
        logits = runtime.run(window[:-1], ["logits"])["logits"].astype(float)  # (T, V)
        for row, target in zip(logits, window[1:], strict=True):
            yield math.log(np.exp(row - row.max()).sum()) + row.max() - row[target]


def test_alice_scores_what_the_manifest_says(runtime: Runtime, alice: str) -> None:
    ids = [token.id for token in runtime.encode(alice)]
    counted = len(alice.encode()) - len(runtime.tokenizer.decode(ids[:1]).encode())
    scored = sum(surprises(runtime, ids)) / math.log(2) / counted
    assert scored == pytest.approx(runtime.manifest.evaluation.works["alice"], abs=2e-4)


def test_the_model_fits_and_a_repeat_surprises_it_less_than_half_as_much(runtime: Runtime) -> None:
    shipped = runtime.manifest
    assert shipped.files["model.onnx"].bytes <= 1_300_000
    assert shipped.evaluation.copying.repeat < shipped.evaluation.copying.first / 2


def test_the_model_reaches_its_mark(runtime: Runtime) -> None:
    assert runtime.manifest.evaluation.bits_per_byte <= 1.58


def test_the_card_is_of_the_shipped_model(runtime: Runtime) -> None:
    text, shipped = (HERE / "README.md").read_text("utf-8"), runtime.manifest
    assert shipped.files["model.onnx"].sha256 in text
    assert card.habits(shipped) in text
    assert card.works(shipped) in text
    scores = [*shipped.evaluation.works.values(), shipped.evaluation.bits_per_byte]
    assert card.row("this model", *(f"{score:.3f}" for score in scores)) in text


def test_a_sample_goes_on_from_its_prompt_and_is_the_same_again(runtime: Runtime) -> None:
    first, second = (card.sample(runtime, card.PROMPT, 0.7, tokens=5) for _ in range(2))
    assert first == second
    assert first.startswith(card.PROMPT)
    assert len(first) > len(card.PROMPT)
    greedy = card.sample(runtime, card.PROMPT, 1e-4, tokens=1)
    ids = [token.id for token in runtime.encode(card.PROMPT)]
    best = int(runtime.run(ids, ["logits"])["logits"][-1].argmax())
    assert greedy == card.PROMPT + runtime.tokenizer.decode([best])


def test_sentences_of_the_story_are_scored_by_the_shipped_file(runtime: Runtime) -> None:
    def given(sentence: str, word: str) -> float:
        tokens = runtime.encode(sentence)
        start = sentence.index(f" {word}") + 1
        pieces = [i for i, token in enumerate(tokens) if token.start < start + len(word) and token.end > start]
        return float(runtime.run([token.id for token in tokens])["pattern"][1, 2, -1, pieces].sum())

    shares = [(given(s.text, s.speaker), given(s.text, s.name)) for s in evaluate.sentences()]
    said = runtime.manifest.evaluation.naming
    assert np.mean(shares, 0).tolist() == pytest.approx([said.speaker, said.name], abs=2e-4)
