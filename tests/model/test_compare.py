"""Compressors beside the model, on texts whose cost is known."""

import dataclasses
import random

import pytest

from model import compare, corpus


def noise(size: int, seed: int) -> str:
    """Letters of which each costs four bits, whatever came before."""
    return "".join(random.Random(seed).choices("abcdefghijklmnop", k=size))


def texts(part: str) -> list[corpus.Text]:
    tales = dataclasses.replace(corpus.WORKS[0], name="tales")
    novel = dataclasses.replace(corpus.WORKS[-1], name="novel")
    return [corpus.Text(tales, noise(20_000, 1), part), corpus.Text(novel, noise(20_000, 2), "")]


@pytest.mark.parametrize("compress", [compare.xz, compare.bzip2, compare.ppm(5)], ids=["xz", "bzip2", "ppm"])
def test_what_nothing_can_foresee_costs_four_bits_and_a_repeat_next_to_nothing(compress):
    unseen = compare.bits_per_byte(compress, texts(noise(10_000, 3)))
    assert unseen.keys() == {"tales", "overall"}
    assert 3.9 < unseen["tales"] < 4.9
    if compress is not compare.bzip2:  # it sorts, and has no way to say "as before"
        assert compare.bits_per_byte(compress, texts(noise(20_000, 1)[:10_000]))["tales"] < 1


def test_a_model_of_other_works_is_not_set_beside_these():
    with pytest.raises(SystemExit, match="make train"):
        compare.beside(texts("a"))
