"""Expressions: what they may say, what they answer, and where their mistakes are."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.expressions import ExpressionError
from app.figures import FigureKind, OptionKind, QuantityKind
from app.printer import Quantity
from app.problems import AuthorError
from app.units import Value, show
from app.values import AlreadyTold, FalseClaim, check_claim, evaluate

WEIGHT = QuantityKind("share", "", ("query", "key"), ("layer",))
KIND = FigureKind(
    "viewer",
    "",
    {"layer": OptionKind("integer", help="a layer, from 1")},
    {"weight": WEIGHT, "tokens": QuantityKind("count"), "loss": QuantityKind("nats"), "top": QuantityKind("text", "", ("query",))},
)
NUMBERS = {
    "weight": Quantity(0.52, "share", "2.3.1.0"),
    "tokens": Quantity(17, "count"),
    "loss": Quantity(2.5, "nats"),
    "top": Quantity("é", "text"),
}


class Figures:
    def __init__(self) -> None:
        self.asked: list[tuple[str, str, list[Any], dict[str, Any]]] = []

    def kinds(self) -> Mapping[str, FigureKind]:
        return {"queen": KIND, "king": KIND}

    def told(self) -> Collection[str]:
        return {"my-queen", "jack"}

    def elsewhere(self, name: str) -> str | None:
        return "block" if name == "knob" else None

    def ask(self, figure: str, quantity: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Quantity:
        self.asked.append((figure, quantity, list(args), dict(kwargs)))
        if "Bob" in args:
            raise AuthorError("no token «Bob»", "tokens: said", "key")
        return NUMBERS[quantity]


def value(source: str) -> Value:
    return evaluate(source, Figures())


def mistake(source: str, ask: Any = evaluate) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        ask(source, Figures())
    return caught.value


def test_arguments_reach_the_figure_as_they_are_written() -> None:
    figures = Figures()
    evaluate('queen.weight("said", -2, layer=1)', figures)
    assert figures.asked == [("queen", "weight", ["said", -2], {"layer": 1})]


@given(
    st.recursive(
        st.integers(1, 99).map(str),
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        max_leaves=8,
    )
)
def test_arithmetic_is_pythons(source: str) -> None:
    assert value(f"{source} + 0 * queen.tokens()").value == pytest.approx(float(eval(source)))


@pytest.mark.parametrize(
    ("source", "unit"),
    [
        ('queen.weight("a", "b") + king.weight("a", "b")', "share"),
        ('1 - queen.weight("a", "b")', "share"),
        ('queen.weight("a", "b") * king.weight("a", "b")', "share"),
        ('queen.weight("a", "b") * queen.tokens()', "count"),
        ('queen.weight("a", "b") / king.weight("a", "b")', "number"),
        ("queen.loss() / 2", "nats"),
        ("2 / queen.loss()", "number"),
        ("-queen.loss()", "nats"),
    ],
)
def test_units_follow_from_what_is_done(source: str, unit: str | None) -> None:
    assert value(source).unit == unit


def test_one_answer_keeps_its_cell_and_two_have_none() -> None:
    assert value('queen.weight("a", "b")').cell == "2.3.1.0"
    both = value('queen.weight("a", "b") + king.weight("a", "b")')
    assert (both.cell, both.figures) == (None, {"queen", "king"})


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.8812, "88%"),
        (0.005, "0.5%"),
        (0.0064, "0.6%"),
        (0.00996, "1%"),
        (0.0004, "0.04%"),
        (1e-9, "under 0.001%"),
        (0.0, "0%"),
        (0.996, "99.6%"),
        (0.99996, "99.996%"),
        (0.999998, "over 99.999%"),
        (0.9999999, "100%"),
        (1.0000001, "100%"),
        (1.00004, "100.004%"),
        (-1e-9, "over −0.001%"),
        (-1.0, "−100%"),
        (-0.12, "−12%"),
        (1.5, "150%"),
    ],
)
def test_shares_are_whole_per_cent_and_never_zero_for_something(share: float, text: str) -> None:
    assert show(Value(share, "share")) == text


@given(st.floats(0, 1))
def test_a_share_is_said_to_within_half_a_per_cent(share: float) -> None:
    text = show(Value(share, "share"))
    assert (text == "0%") == (share == 0)
    assert (text == "100%") == (share > 1 - 1e-6)
    if not text.startswith(("under", "over")):
        assert float(text.rstrip("%")) == pytest.approx(share * 100, abs=0.5)


@pytest.mark.parametrize(
    ("source", "offset", "words"),
    [
        ('quen.weight("a", "b")', 0, "unknown figure 'quen'"),
        ('queen.wight("a", "b")', 6, "no quantity 'wight'"),
        ('queen.weight("a", "Bob")', 18, "no token «Bob»"),
        ('queen.weight("a")', 0, "takes 2 arguments, not 1"),
        ('queen.weight("a", "b", "c")', 23, "takes 2 arguments, not 3"),
        ('queen.weight("a", "b", lair=2)', 23, "no argument 'lair'"),
        ('queen.weight("a", "b", layer=2+1)', 29, "`2+1` is not a text or a number"),
        ('queen.weight(*["a", "b"])', 0, "takes 2 arguments"),
        ('queen.weight("a", "b", **{})', 23, "no argument '**'"),
        ('1 + "é" * 2', 4, "a text, not a number"),
        ('"é" == "é" and 1 < queen.tokkens()', 25, "no quantity 'tokkens'"),
        ('queen.weight("a", "b", layer=True)', 29, "`True` is not a text or a number"),
        ('queen.weight("a", "b", layer="1")', 29, "'layer' is a whole number, not \"1\""),
        ('queen.weight("a", "b", layer=1.0)', 29, "'layer' is a whole number, not 1.0"),
        ('queen.weight("a", "b", layer=1, layer=2)', 32, "queen.weight is given 'layer' twice"),
        ("queen.weight(True, 1)", 13, "`True` is not a text or a number"),
        ('queen.weight("a", "\\ud800")', 18, "half a character"),
        ("  0.88", 2, "`0.88` asks no figure"),
        ("1 + 1", 0, "`1 + 1` asks no figure"),
        ('"Alice"', 0, "asks no figure"),
        ("1 / (queen.tokens() - 17)", 5, "division by zero: queen.tokens() - 17 is 0"),
        ("queen.tokens() + queen.loss()", 0, "cannot add a nats to a count"),
        ("1 +", 3, "ends too early"),
        ("1 2", 2, "cannot read the expression from '2' on"),
        ("knob.spread()", 0, "figure 'knob' stands in another chapter, 'block'"),
        ("2 * knob.spread", 4, "figure 'knob' stands in another chapter, 'block'"),
        ("knob", 0, "figure 'knob' stands in another chapter, 'block'"),
        ("quen.weight", 0, "unknown figure 'quen'"),
        ("queen.tokens", 0, "is not asked"),
        ("queen", 0, "alone has no value"),
        ("x", 0, "unknown name 'x'"),
        ("queen.tokens()\n + quen.tokens()", 18, "unknown figure 'quen'"),
    ],
)
def test_a_mistake_has_its_column(source: str, offset: int, words: str) -> None:
    error = mistake(source)
    assert words in error.message
    assert error.offset == offset


HABITS = [
    ("queen.tokens() = 17", 15, "'=' compares nothing", "write =="),
    ('queen.weight("a", "b", layer=1) = 0.5', 32, "'=' compares nothing", "write =="),
    ("queen.tokens() := 17", 15, "':=' cannot stand in an expression", "write =="),
    ("queen.tokens() => 17", 15, "'=>' cannot stand in an expression", "write >="),
    ("queen.tokens() ≥ 17", 15, "'≥' cannot stand in an expression", "write >="),
    ("queen.tokens() × 2", 15, "'×' cannot stand in an expression", "write *"),
    ("queen.tokens() − 2", 15, "'−' cannot stand in an expression", "write -"),
    ("queen.tokens() > 1 && 2 < 3", 19, "'&&' cannot stand in an expression", "write and"),
    ('queen.weight("a", "b") > 90%', 25, "'90%' is not a number here", "write 0.9"),
    ('queen.weight("a", "b") > 0.5 % and 1 < 2', 25, "'0.5 %' is not a number here", "write 0.005"),
    ("queen.weight(“a”, “b”) > 0.1", 13, "'“' is not a straight quote", 'put each text between straight quotes: "said"'),
    ("queen.weight(‘a’, ‘b’) > 0.1", 13, "'‘' is not a straight quote", 'put each text between straight quotes: "said"'),
    ('queen.weight("a", "b) > 0.1', 18, 'a text is opened by " and never closed', 'put each text between straight quotes: "said"'),
    (
        "queen.weight('it's', 'b') > 1",
        23,
        "a text is opened by ' and never closed",
        'put each text between straight quotes: "said"',
    ),
    ("queen.tokens() and goes on with {value}", 32, "the expression goes on to {value}", "close it further left, with a backtick"),
    ('queen.weight("a", "b" > 0.1', 12, "'(' is never closed", "close it behind its last argument"),
    ('queen.weight("a", "b")) > 0.1', 22, "')' closes nothing", "remove it, or write its opening before it"),
    ('queen.weight("a", "b"] > 0.1', 21, "']' does not close '('", "close each with its own"),
    ("queen.tokens() > 0,5", 18, "',' joins no numbers", "write 0.5 for 0,5, and 1000 for 1,000"),
    ("queen.tokens() > 017", 17, "a number that begins with 0", "write it without the 0"),
    ("2queen.tokens()", 0, "a number that goes on with letters", "put a sign between them: 2 * queen.tokens()"),
    ("queen.tokens() > ", 16, "expression ends too early", "write what shall follow"),
]


@pytest.mark.parametrize(("source", "offset", "message", "hint"), HABITS)
@pytest.mark.parametrize("ask", [evaluate, check_claim])
def test_what_is_written_by_habit_is_told_with_what_to_write(source: str, offset: int, message: str, hint: str, ask: Any) -> None:
    error = mistake(source, ask)
    assert (error.message, error.offset, error.hint) == (message, offset, hint)


@pytest.mark.parametrize(
    "source", ['queen.weight("a = b", "“90%” ≥") > 0', 'queen.weight("a", "b", layer = 1) >= 0', "queen.top('it=') != \"×\""]
)
def test_what_stands_between_quotes_is_text(source: str) -> None:
    check_claim(source, Figures())


@given(
    st.lists(
        st.sampled_from([*"“”'\"%=≥×,({[)]};:!?$&|~^ 0189", "queen", ".weight(", "{value}", "and", "is", "lambda"]), max_size=12
    ).map("".join)
)
def test_nothing_is_told_in_pythons_words(source: str) -> None:
    told = ""
    try:
        evaluate(source, Figures())
    except ExpressionError as error:
        told = error.message
    assert not re.search(r"syntax|literal|line \d|U\+|parenthesis|keyword|token|decimal|EOF", told)


@pytest.mark.parametrize("source", ['my-queen.weight("a", "b")', "1 + jack.tokens()", "my-queen.", "jack"])
def test_a_figure_whose_name_is_told_brings_no_further_problem(source: str) -> None:
    with pytest.raises(AlreadyTold):
        evaluate(source, Figures())


@pytest.mark.parametrize(
    "source",
    [
        "().__class__",
        "().__class__.__bases__[0].__subclasses__()",
        "9**(9**9)",
        "'a'*10**8",
        "'a'*100000000",
        "9e999",
        "1e308 * 1e308",
        "__import__('os')",
        "queen.weight.__globals__",
        "(lambda: 1)()",
        "[x for x in (1,)]",
        "f'{queen}'",
        "queen.weight('a', 'b').real",
        "1 if 1 else 2",
        "not 1",
        "True",
        "1 << 9",
        "9" * 501,
        "(" * 250 + ")" * 250,
        "-" * 499 + "1",
        "\0",
        "'\\ud800'",
        "",
        "#",
        ")(",
        "1)+(2",
    ],
)
def test_nothing_else_runs_or_grows(source: str) -> None:
    begin = time.perf_counter()
    assert mistake(source).offset <= len(source)
    assert time.perf_counter() - begin < 1


def test_an_expression_is_no_longer_than_a_sentence() -> None:
    assert value("queen.tokens()" + " " * 486).value == 17
    assert mistake("queen.tokens()" + " " * 487).message == "expression of 501 characters"


PIECES = [
    "queen",
    ".weight(",
    "tokens()",
    "layer=",
    *"(),+*/-<>=1 '\"\n[]{}:é\\#",
    "\\ud800",
    "\\x00",
    "\\N{DIGIT ONE}",
    " and ",
    "lambda",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_is_a_value_that_can_be_written_or_a_mistake_inside_it(source: str) -> None:
    offset = 0
    figures = Figures()
    try:
        str(evaluate(source, figures).value).encode()
    except ExpressionError as error:
        offset = error.offset
    assert 0 <= offset <= len(source)
    json.dumps(figures.asked, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "source",
    [
        'queen.weight("a", "b") > 0.5',
        '0.5 < queen.weight("a", "b") <= 0.52',
        'queen.weight("a", "b") > 0.9 or queen.tokens() == 17',
        "queen.tokens() > 99 and king.tokens() > 3 or 1 < 2",
        '  queen.top("a") == "é"  ',
    ],
)
def test_claims_that_hold(source: str) -> None:
    check_claim(source, Figures())


@pytest.mark.parametrize(
    ("weight", "claim", "words"),
    [
        (0.9985, "> 0.999", "is 0.9985, not > 0.999"),
        (0.99896, "> 0.999", "is 0.99896, not > 0.999"),
        (0.95, "> 0.999", "is 0.95, not > 0.999"),
        (0.99896412345, "> 0.999", "is 0.998964, not > 0.999"),
        (1 - 1e-12, "== 1", "is 0.999999999999, not == 1"),
        (0.5, "< 0.5", "is 0.5, not < 0.5"),
        (0.5004, "< 0.5", "is 0.5004, not < 0.5"),
        (0.1234, "> 1234567", "is 0.12, not > 1234567"),
        (0.1234, "> 1 / 3", "is 0.12, not > 1 / 3"),
        (-0.25, "> -0.2499", "is -0.25, not > -0.2499"),
        (541312.0, "> 541313", "is 541312, not > 541313"),
        (1.0, "<= 0.9996", "is 1, not <= 0.9996"),
    ],
)
def test_a_false_claim_is_false_as_it_is_told(weight: float, claim: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NUMBERS, "weight", Quantity(weight, "share"))
    with pytest.raises(FalseClaim) as caught:
        check_claim(f'queen.weight("a", "b") {claim}', Figures())
    assert str(caught.value).endswith(words)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
def test_what_is_told_of_a_false_claim_compares_as_the_numbers_did(one: float, other: float, sign: str) -> None:
    saved = dict(NUMBERS)
    NUMBERS.update(weight=Quantity(one, "number"), loss=Quantity(other, "number"))
    try:
        check_claim(f'queen.weight("a", "b") {sign} queen.loss()', Figures())
    except FalseClaim as told:
        left, right = re.findall(r"(?<= is )[-+\de.]+", str(told))
        assert not eval(f"{left} {sign} {right}")
        assert (float(left) == float(right)) == (one == other)
    finally:
        NUMBERS.update(saved)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('queen.weight("a", "b") > 0.6', 'queen.weight("a", "b") is 0.52, not > 0.6'),
        ('0.6 < queen.weight("a", "b")', 'queen.weight("a", "b") is 0.52, not > 0.6'),
        ('queen.weight("a", "b") > 0.520001', 'queen.weight("a", "b") is 0.52, not > 0.520001'),
        ("queen.tokens() < king.tokens()", "queen.tokens() is 17, not < king.tokens(), which is 17"),
        ('0.5 < queen.weight("a", "b") < 0.51', 'queen.weight("a", "b") is 0.52, not < 0.51'),
        ("queen.tokens() == 17 and queen.loss() < 1", "queen.loss() is 2.5, not < 1"),
        ("queen.tokens() < 1 or queen.loss() < 1", "queen.tokens() is 17, not < 1, nor: queen.loss() is 2.5, not < 1"),
    ],
)
def test_a_false_claim_says_both_sides(source: str, words: str) -> None:
    with pytest.raises(FalseClaim) as caught:
        check_claim(source, Figures())
    assert str(caught.value) == words


def test_every_part_of_a_claim_is_read_even_when_an_earlier_one_is_false() -> None:
    assert "unknown figure" in mistake("queen.tokens() < 1 and quen.tokens() > 1", check_claim).message


def test_what_asks_no_figure_is_no_claim() -> None:
    assert mistake("0.88 > 0.6", check_claim).message == "`0.88 > 0.6` asks no figure"
    assert mistake("1 > 2 or 1 < 2", check_claim).message == "`1 > 2 or 1 < 2` asks no figure"
    assert evaluate("queen.tokens() > 1 and 2 < king.tokens()", Figures()).figures == {"queen", "king"}


@pytest.mark.parametrize(
    ("number", "text"), [(1e-14, "1 × 10⁻¹⁴"), (-2.345e-9, "−2.35 × 10⁻⁹"), (0.00012345, "0.000123"), (1234567, "1,234,567")]
)
def test_small_numbers_are_powers_of_ten(number: float, text: str) -> None:
    assert show(Value(number, "nats")) == f"{text} nats"


def test_a_claim_compares() -> None:
    assert "compares something" in mistake("queen.tokens()", check_claim).message
    assert "cannot compare a count with a nats" in mistake("queen.tokens() > queen.loss()", check_claim).message
