"""What the book claims that training did is not so before training: the claims fail on untrained models of the same shape."""

from pathlib import Path

import pytest
import torch

from app.check import check_book
from app.parse import load_book
from app.printer import Printer
from model import corpus, export, manifest
from model.gpt import GPT, GPTConfig
from model.runtime import Runtime

CHAPTERS = Path(__file__).parents[2] / "chapters"
TEXTS = [corpus.Text(corpus.WORKS[0], "", "A fox looked at the moon, and the moon looked back. " * 20)]
# A smeared row is no achievement: an untrained head is as even. It stands there as the contrast.
NOT_LEARNED = {'queen.tokens() * queen.largest("said", layer=1, head=1) < 2'}


def claims() -> set[str]:
    return {
        child.content
        for chapter in load_book(CHAPTERS).chapters
        if chapter.document
        for token in chapter.document.tokens
        for child in token.children or ()
        if child.type == "role" and child.info == "claim"
    }


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_claims_about_training_fail_on_an_untrained_model(seed, tmp_path):
    torch.manual_seed(seed)
    untrained = export.Trained(GPT(GPTConfig()), manifest.ARTIFACTS / "tokenizer.json", {}, [])
    export.export(untrained, TEXTS, tmp_path)
    with Printer(Runtime.load(tmp_path)) as printer:
        told = [str(problem) for problem in check_book(load_book(CHAPTERS), printer)]
    learned = claims() - NOT_LEARNED
    assert len(learned) >= 4
    for claim in learned:
        left, right = claim.split(" > ")
        assert any(f"does not hold: {left} is " in line and f"not > {right}" in line for line in told), claim
