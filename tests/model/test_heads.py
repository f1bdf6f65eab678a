"""What is said of the heads, on patterns built by hand whose roles are known."""

import dataclasses
import math
import re

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from model import corpus, evaluate, train
from model.gpt import GPT, Attended, GPTConfig
from model.manifest import Role

TOKENS = torch.tensor([[7, 8, 9, 7, 8, 9]])  # for what wants which key
LONG = torch.tensor([[7, 8, 9, *range(10, 30), 7, 8, 9]])  # for how much it is given
T = LONG.shape[1]
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
    keys = wanted(LONG)
    one = torch.where(keys.any(-1, keepdim=True), keys / keys.sum(-1, keepdim=True).clamp_min(1), EVEN)
    pattern = torch.stack([one[0], EVEN])[None, None]  # (1, 1, 2 heads, T, S)
    score, baseline = evaluate.role(pattern, keys)
    assert score[0].tolist() == pytest.approx([1, float(baseline)])


def test_the_baseline_of_a_previous_token_head_is_what_arithmetic_says():
    _, baseline = evaluate.role(EVEN.expand(1, 1, 1, T, T), evaluate.previous_token(LONG))
    asking = range(evaluate.EARLIEST, T)
    assert float(baseline) == pytest.approx(sum(1 / (t + 1) for t in asking) / len(asking))


@pytest.mark.parametrize(
    ("score", "baseline", "untrained", "said"),
    [
        (0.9, 0.03, 0.03, "previous token"),
        (0.29, 0.03, 0.03, "no role found"),
        (0.5, 0.2, 0.2, "no role found"),
        (0.5, 0.03, 0.2, "no role found"),
    ],
)
def test_a_verdict_needs_a_share_and_a_lift_also_over_an_untrained_head(score, baseline, untrained, said):
    roles = [
        Role("first token", "share", 0.01, 0.03, 0.03, ""),
        Role("previous token", "share", score, baseline, untrained, ""),
        Role("reach", "tokens", 40.0, 2.0, 2.0, ""),
    ]
    assert evaluate.verdict(roles) == said


TALE = "".join(
    f'At {hour} the {beast} met {who} by the mill. "Good day," said {who}, and the {beast} ran off! Then {who} saw {other}, '
    "and she ran.\n"
    for hour, beast in (("dawn", "fox"), ("noon", "heron"), ("dusk", "mole"), ("night", "owl"))
    for who in ("Gerda", "Hob", "Old Ned", "Anna")
    for other in ("Tib", "Rosalind", "Kay")
)
KINDS = [*evaluate.IN_STORIES, *evaluate.IN_REPEATS]


PEOPLE = re.compile("she|Gerda|Hob|Old|Ned|Anna|Tib|Rosalind|Kay")  # a name is never first in a sentence here
FIRST = re.compile("At|Good|Then")
MARKS = set('.,!"')


def wanted_by_hand(pieces: list[str]) -> dict[str, set[tuple[int, int]]]:
    """Which key each kind of head wants for which query: said here a second time, in other words than evaluate's."""
    text, T = "".join(pieces), len(pieces)
    ends = np.cumsum([len(piece) for piece in pieces])
    begins = ends - [len(piece) for piece in pieces]

    def covered(words: re.Pattern[str]) -> list[list[int]]:
        return [[t for t in range(T) if begins[t] < m.end() and ends[t] > m.start()] for m in words.finditer(text)]

    pairs = [(t, s) for t in range(T) for s in range(t)]
    keys = {
        "punctuation": {t for t in range(T) if set(pieces[t].strip()) and set(pieces[t].strip()) <= MARKS},
        "sentence start": {tokens[0] for tokens in covered(FIRST)},
        "person": {t for tokens in covered(PEOPLE) for t in tokens},
    }
    return {
        "previous token": {(t, s) for t, s in pairs if t - s == 1},
        "first token": {(t, s) for t, s in pairs if s == 0},
        "same token": {(t, s) for t, s in pairs if pieces[s] == pieces[t]},
        **{kind: {(t, s) for t, s in pairs if s in wanted} for kind, wanted in keys.items()},
        "induction": {(t, s + 1) for t, s in pairs if pieces[s] == pieces[t]},
    }


class HandBuilt:
    """Eight heads of which each does one thing: the seven roles, and none. It stands in for a GPT."""

    config = GPTConfig(width=32, context=64)

    def __init__(self, encoder: Tokenizer):
        self.encoder = encoder

    def __call__(self, tokens: torch.Tensor, *_: object) -> tuple:
        N, T = tokens.shape
        keys = torch.zeros(N, 8, T, T, dtype=torch.bool)  # the last head wants nothing
        for n, row in enumerate(tokens.tolist()):
            wanted = wanted_by_hand([self.piece(i) for i in row])
            for head, kind in enumerate(KINDS):
                keys[n, head, *zip(*wanted[kind], strict=True)] = True
        pattern = spread(keys)  # (N, 8, T, S)
        return None, None, [Attended(*[layer] * 5) for layer in pattern.split(4, 1)]

    def piece(self, number: int) -> str:
        """The text of a token; random spans also have numbers of which this tokenizer knows nothing."""
        return (self.encoder.id_to_token(number) or f"<{number}>").replace("Ġ", " ").replace("Ċ", "\n")


def spread(keys: torch.Tensor) -> torch.Tensor:
    """All of the budget on the keys that are wanted, or on all, where there are none."""
    T = keys.shape[-1]
    seen = torch.where(keys.any(-1, keepdim=True), keys, torch.ones(T, T, dtype=torch.bool)).tril().float()
    return seen / seen.sum(-1, keepdim=True)


@pytest.fixture(scope="module")
def encoder() -> Tokenizer:
    return train.tokenizer.train([corpus.Text(corpus.WORKS[0], TALE, "")], 300)


def test_hand_built_heads_of_each_kind_are_recognised(encoder):
    found = evaluate.heads(HandBuilt(encoder), encoder, [corpus.Text(corpus.WORKS[0], "", TALE)])
    assert [head.verdict for head in found] == [*KINDS, "no role found"]
    for head, kind in zip(found, KINDS, strict=False):
        # What a window begins with counts for no sentence start and no name, though by hand it does.
        assert {role.name: role.score for role in head.roles}[kind] == pytest.approx(1, abs=0.05)


def test_what_a_head_does_among_the_first_tokens_gives_it_no_role(encoder, monkeypatch):
    """There, one token back and the first token are often the same, and every choice is between few."""
    pattern = HandBuilt.__call__

    def hasty(self, tokens, *_):
        early, late = pattern(self, tokens)[2][0].pattern[:, :1], spread(torch.zeros(1, 1, *[tokens.shape[1]] * 2) > 0)
        mixed = torch.where(torch.arange(tokens.shape[1])[:, None] < evaluate.EARLIEST, early, late).expand(-1, 4, -1, -1)
        return None, None, [Attended(*[mixed] * 5)] * 2

    monkeypatch.setattr(HandBuilt, "__call__", hasty)
    found = evaluate.heads(HandBuilt(encoder), encoder, [corpus.Text(corpus.WORKS[0], "", TALE)])
    assert {head.verdict for head in found} == {"no role found"}


def test_names_sentence_starts_and_punctuation_are_told_apart(encoder):
    text = 'Then Old Ned saw the mole. "Good day," said Anna, and ran off! At noon'
    tokens = torch.tensor([encoder.encode(text).ids])
    spelling = evaluate.Spelling.of(encoder, tokens)
    pieces = [encoder.decode([i]) for i in tokens[0].tolist()]

    def marked(mask: torch.Tensor) -> list[str]:
        return "".join(piece if yes else "|" for piece, yes in zip(pieces, mask[0], strict=True)).replace("|", " ").split()

    assert marked(spelling.persons) == ["Old", "Ned", "Anna"]
    assert marked(spelling.punctuation) == [".", '"', ',"', ",", "!"]
    opening = ["".join(pieces[t:]).split()[0] for t, yes in enumerate(spelling.opens[0]) if yes]
    assert opening == ["Good", "At"]  # that the window begins with a sentence is not known


@pytest.mark.parametrize(
    ("pieces", "t", "opens", "named"),
    [
        ([" it", " was", " M", "US", "T"], 2, False, False),  # loud, not a name
        ([" it", " was", " M", "US", "T"], 3, False, False),
        ([" said", " Al", "ice"], 2, False, True),
        ([" said", " I"], 1, False, True),
        ([".", ' "', "O", "h"], 2, True, False),
        ([',"', " said", " K", "ay"], 2, False, True),
        (["!", '"', " said"], 2, False, False),
        ([".", " ", "\n", "Then"], 3, True, False),
        ([".", " ", "\n", "Then"], 1, False, False),
    ],
)
def test_what_opens_a_sentence_and_what_is_a_name(pieces, t, opens, named):
    assert evaluate.place(pieces, t) == (opens, named)


def test_line_ends_and_parts_of_a_character_are_no_punctuation():
    assert [evaluate.MARKS.fullmatch(piece) is not None for piece in (",", ' "', "--", "_", "\n", " ", "\ufffd", "a.")] == [
        *[True] * 4,
        *[False] * 4,
    ]


def test_reach_and_spread_of_an_even_head_are_what_arithmetic_says():
    T = 32
    even = evaluate.uniform(torch.zeros(1, 1, 1, T, T))
    queries = range(evaluate.EARLIEST, T)
    assert float(evaluate.reach(even)) == pytest.approx(sum(t / 2 for t in queries) / len(queries))
    assert float(evaluate.entropy(even)) == pytest.approx(sum(math.log2(t + 1) for t in queries) / len(queries), rel=1e-5)


def test_the_surprise_of_a_blind_guess_is_the_same_on_both_passes():
    model = GPT(GPTConfig(width=32, context=64, vocabulary=1024))
    torch.nn.init.zeros_(model.token_embedding.weight)
    assert evaluate.copying(model) == pytest.approx((math.log(1024), math.log(1024)), rel=1e-5)


def test_twenty_sentences_name_someone_half_of_them_not_alice():
    found = evaluate.sentences()
    assert len(found) == 20
    assert sum(sentence.name == "Alice" for sentence in found) == 10
    for sentence in found:
        assert f" {sentence.name} and " in sentence.text
        assert sentence.text.index(f" {sentence.speaker} ") < sentence.text.index(sentence.name)


def test_what_is_given_to_a_name_is_given_to_all_its_pieces(encoder):
    model = GPT(GPTConfig(width=32, vocabulary=300, context=64)).eval()
    text = "The fox met Rosalind and said"
    pieces = [i for i, (a, b) in enumerate(encoder.encode(text).offsets) if b > 12 and a < 20]
    assert len(pieces) > 1
    row = evaluate.patterns(model, torch.tensor([encoder.encode(text).ids]))[0, :, :, -1]
    torch.testing.assert_close(evaluate.on_word(model, encoder, text, "Rosalind"), row[..., pieces].sum(-1))


def test_the_diet_reads_a_heavier_work_more_often():
    class Letters:
        def encode(self, text):
            return type("Encoding", (), {"ids": list(text.encode())})

    texts = [
        corpus.Text(dataclasses.replace(work, weight=weight), letter * 100, "")
        for work, weight, letter in zip(corpus.WORKS, (3, 1), "ab", strict=False)
    ]
    diet = train.Diet.of(texts, Letters(), rename=False)
    inputs, _ = train.story_rows(diet, diet.mixed, 4000, 8, np.random.default_rng(0))
    assert (inputs == ord("a")).mean() == pytest.approx(3 / 4, abs=0.03)
