"""Expressions in prose: `queen.weight("said", "Alice") > 0.6`, parsed and answered by figures.

Python's `ast` reads them against a whitelist: calls of a figure's quantities with literal arguments, + - * /, comparisons,
`and`, `or`, numbers. Nothing else can run, nothing can grow, and every mistake has its column.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from app.expressions import GRAMMAR, ExpressionError, parse, short
from app.figures import FigureKind
from app.problems import AuthorError, did_you_mean
from app.units import Literal, Value
from app.verdicts import both


class AlreadyTold(Exception):
    """The expression asks a figure whose own problem is told elsewhere."""


class FalseClaim(Exception):
    """A claim that does not hold; says the values on each side."""


class Answer(Protocol):
    """What a figure answers: a `printer.Quantity`."""

    @property
    def value(self) -> float | int | str | bool: ...
    @property
    def unit(self) -> str: ...
    @property
    def cell(self) -> str | None: ...


class Figures(Protocol):
    """The figures of a page, as expressions see them."""

    def kinds(self) -> Mapping[str, FigureKind]:
        """id → what kind of figure it is."""
        ...

    def told(self) -> Collection[str]:
        """Names of figures that have a problem of their own; some of them cannot be names."""
        ...

    def elsewhere(self, name: str) -> str | None:
        """Another chapter in which such a figure stands."""
        ...

    def ask(self, figure: str, quantity: str, args: Sequence[Literal], kwargs: Mapping[str, Literal]) -> Answer:
        """Raises AuthorError, or AlreadyTold."""
        ...


def evaluate(source: str, figures: Figures) -> Value:
    """The value of an expression.

    Raises ExpressionError, with the place inside the source, and AlreadyTold.
    """
    evaluation = _Evaluation(source, figures)
    result = evaluation.result()
    evaluation.refuse_unasked()
    return result


def check_claim(source: str, figures: Figures) -> None:
    """Raises FalseClaim when it does not hold; ExpressionError when it is none."""
    evaluation = _Evaluation(source, figures)
    if not isinstance(evaluation.tree, ast.Compare | ast.BoolOp):
        raise ExpressionError("a claim compares something", evaluation.begin, "write for example: … > 0.6")
    holds = evaluation.result().value
    evaluation.refuse_unasked()
    if not holds:
        raise FalseClaim(" and ".join(evaluation.failures(evaluation.tree)))


_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}


class _Evaluation:
    def __init__(self, source: str, figures: Figures) -> None:
        for name in figures.told():
            if not name.isidentifier() and re.search(rf"(?<![\w\"']){re.escape(name)}\s*\.", source):
                raise AlreadyTold  # `my-queen.tokens()` would be read as a difference
        self.tree, self._text = parse(source)
        self._figures = figures
        self._answers: dict[int, Value] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search("[\ud800-\udfff]", node.value):
                raise self._refusal(node, f"{self._source(node)} has half a character", "write the character itself")

    @property
    def begin(self) -> int:
        return self._offset(self.tree)

    def result(self) -> Value:
        return self._value(self.tree)

    def refuse_unasked(self) -> None:
        """What asks nobody stays as it is when the model changes."""
        if not self.result().figures:
            raise self._refusal(self.tree, f"`{short(self._source(self.tree))}` asks no figure", "ask one: queen.weight(…)")

    def _offset(self, node: ast.AST) -> int:
        """Where a node begins in the source; ast counts bytes."""
        return len(self._text.encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore"))

    def _source(self, node: ast.AST) -> str:
        return " ".join((ast.get_source_segment(self._text, node) or "").split())

    def _refusal(self, node: ast.AST, message: str, hint: str | None = None) -> ExpressionError:
        return ExpressionError(message, self._offset(node), hint)

    def _value(self, node: ast.expr) -> Value:
        if id(node) not in self._answers:  # a claim that fails is asked again, for its message
            self._answers[id(node)] = self._compute(node)
        return self._answers[id(node)]

    def _compute(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Call():
                return self._call(node)
            case ast.UnaryOp(op=ast.USub()):
                inner = self._numeric(node.operand)
                return Value(-inner.number, inner.unit, inner.figures)
            case ast.BinOp():
                return self._arithmetic(node)
            case ast.Compare():
                holds = [self._holds(*pair) for pair in self._pairs(node)]
                return Value(all(holds), figures=self._asked([node.left, *node.comparators]))
            case ast.BoolOp():
                verdicts = [self._verdict(part) for part in node.values]
                verdict = all(verdicts) if isinstance(node.op, ast.And) else any(verdicts)
                return Value(verdict, figures=self._asked(node.values))
            case ast.Attribute(value=ast.Name(id=name)) if name in self._figures.kinds():
                raise self._refusal(node, f"`{self._source(node)}` is not asked", f"write {self._source(node)}(…)")
            case ast.Name(id=name) if name in self._figures.kinds():
                known = ", ".join(self._figures.kinds()[name].quantities)
                raise self._refusal(node, f"'{name}' alone has no value", f"ask it one of: {known}")
            case ast.Attribute(value=ast.Name(id=name) as figure):
                raise self._unknown(figure, name)
            case ast.Name(id=name) if name in self._figures.told() or self._figures.elsewhere(name):
                raise self._unknown(node, name)
            case ast.Name(id=name):
                raise self._refusal(node, f"unknown name '{name}'", "write a number, or ask a figure: queen.weight(…)")
        raise self._refusal(node, f"`{short(self._source(node))}` cannot stand in an expression", GRAMMAR)

    def _asked(self, nodes: Sequence[ast.expr]) -> frozenset[str]:
        return frozenset[str]().union(*(self._value(node).figures for node in nodes))

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self._refusal(node, f"`{self._source(node)}` cannot stand in an expression", GRAMMAR)
        if not isinstance(value, str) and not _is_finite(value):
            raise self._refusal(node, f"`{self._source(node)}` is too large")
        return Value(value)

    def _numeric(self, node: ast.expr) -> Value:
        value = self._value(node)
        if isinstance(value.value, bool | str):
            what = "a comparison" if isinstance(value.value, bool) else "a text"
            raise self._refusal(node, f"`{short(self._source(node))}` is {what}, not a number")
        return value

    def _verdict(self, node: ast.expr) -> bool:
        value = self._value(node).value
        if not isinstance(value, bool):
            raise self._refusal(node, f"`{short(self._source(node))}` compares nothing", "write for example: … > 0.6")
        return value

    def _arithmetic(self, node: ast.BinOp) -> Value:
        if type(node.op) not in _OPERATORS:
            sign = self._text[self._end(node.left) : self._offset(node.right)].strip(" ()")
            raise ExpressionError(f"'{sign}' cannot stand in an expression", self._offset(node), GRAMMAR)
        sign, operate = _OPERATORS[type(node.op)]
        left, right = self._numeric(node.left), self._numeric(node.right)
        if sign == "/" and right.number == 0:
            asked = "" if isinstance(node.right, ast.Constant) else f": {self._source(node.right)} is 0"
            raise self._refusal(node.right, f"division by zero{asked}")
        unit = self._unit(node, sign, left.unit, right.unit)
        result = operate(left.number, right.number)
        if not math.isfinite(result):
            raise self._refusal(node, f"`{short(self._source(node))}` is too large")
        return Value(result, unit, left.figures | right.figures)

    def _end(self, node: ast.expr) -> int:
        return self._offset(node) + len(ast.get_source_segment(self._text, node) or "")

    def _unit(self, node: ast.BinOp, sign: str, left: str | None, right: str | None) -> str | None:
        if left == right:
            return "number" if sign == "/" and left else left if sign != "*" or left in (None, "share") else "number"
        if left is None or right is None:
            if sign == "/" and left is None:
                return "number"
            return left or right
        if sign in "+-":
            here, there = self._source(node.left), self._source(node.right)
            hint = f"{short(here)} is a {left}, {short(there)} a {right}"
            raise self._refusal(
                node, f"cannot {'add' if sign == '+' else 'subtract'} a {right} {'to' if sign == '+' else 'from'} a {left}", hint
            )
        if sign == "*" and "share" in (left, right):
            return right if left == "share" else left  # a share of something is counted as that
        return "number"

    # Comparisons

    def _pairs(self, node: ast.Compare) -> list[tuple[ast.expr, ast.cmpop, ast.expr]]:
        sides = [node.left, *node.comparators]
        for op, side in zip(node.ops, node.comparators, strict=True):
            if type(op) not in _COMPARISONS:
                raise self._refusal(side, "only <, <=, >, >=, == and != compare")
        return list(zip(sides, node.ops, sides[1:], strict=False))

    def _holds(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool:
        sign, compare = _COMPARISONS[type(op)]
        one, other = self._value(left), self._value(right)
        if isinstance(one.value, bool) or isinstance(other.value, bool):
            raise self._refusal(left, "a comparison cannot be compared", "join comparisons with 'and' or 'or'")
        texts = isinstance(one.value, str), isinstance(other.value, str)
        if any(texts) and not (all(texts) and sign in ("==", "!=")):
            raise self._refusal(left, f"a text cannot be compared by '{sign}' with {'a text' if all(texts) else 'a number'}")
        if one.unit and other.unit and one.unit != other.unit:
            raise self._refusal(left, f"cannot compare a {one.unit} with a {other.unit}")
        return bool(compare(one.value, other.value))

    def failures(self, node: ast.expr) -> list[str]:
        """In words, why an expression that is a verdict is false."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return [text for part in node.values if not self._verdict(part) for text in self.failures(part)]
        if isinstance(node, ast.BoolOp):
            return [", nor: ".join(text for part in node.values for text in self.failures(part))]
        if isinstance(node, ast.Compare):
            return [self._failure(*pair) for pair in self._pairs(node) if not self._holds(*pair)]
        return [f"{self._source(node)} is false"]

    def _failure(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        sign = _COMPARISONS[type(op)][0]
        if not self._value(left).figures and self._value(right).figures:
            # said of what was asked, not of the number it is held against
            turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
            left, right, sign = right, left, turned.get(sign, sign)
        compare = next(compare for its_sign, compare in _COMPARISONS.values() if its_sign == sign)
        one, other = self._value(left).value, self._value(right).value
        if self._value(right).figures:
            shown, against = both(one, other, compare)
            against = f"{self._source(right)}, which is {against}"
        else:  # a threshold, as it is written
            shown, _ = both(one, other, compare, exact=True)
            against = self._source(right)
        return f"{self._source(left)} is {shown}, not {sign} {against}"

    # Questions

    def _call(self, node: ast.Call) -> Value:
        match node.func:
            case ast.Attribute(value=ast.Name(id=name) as figure, attr=quantity):
                kind = self._figures.kinds().get(name)
            case _:
                raise self._refusal(node, f"`{short(self._source(node.func))}` cannot be called", GRAMMAR)
        if kind is None:
            raise self._unknown(figure, name)
        if quantity not in kind.quantities:
            at_name = self._offset(figure) + len(name) + 1
            hint = did_you_mean(quantity, kind.quantities)
            raise ExpressionError(f"'{kind.tag}' has no quantity '{quantity}'", at_name, hint)
        args, kwargs = self._arguments(node, f"{name}.{quantity}", kind, quantity)
        try:
            answer = self._figures.ask(name, quantity, args, kwargs)
        except AuthorError as error:
            raise ExpressionError(error.message, self._blamed(node, kind, quantity, error), error.hint) from None
        return Value(answer.value, answer.unit, frozenset({name}), answer.cell)

    def _unknown(self, node: ast.expr, name: str) -> ExpressionError:
        if name in self._figures.told():
            raise AlreadyTold
        if chapter := self._figures.elsewhere(name):
            hint = "prose asks the figures of its own chapter: place one here"
            return self._refusal(node, f"figure '{name}' stands in another chapter, '{chapter}'", hint)
        return self._refusal(node, f"unknown figure '{name}'", did_you_mean(name, self._figures.kinds(), "figure"))

    def _arguments(self, node: ast.Call, asked: str, kind: FigureKind, quantity: str) -> tuple[list[Literal], dict[str, Literal]]:
        wanted = kind.quantities[quantity]
        if len(node.args) != len(wanted.parameters):
            form = ", ".join([*wanted.parameters, *(f"{keyword}=…" for keyword in wanted.keywords)])
            at_fault = node.args[len(wanted.parameters)] if len(node.args) > len(wanted.parameters) else node
            count = "1 argument" if len(wanted.parameters) == 1 else f"{len(wanted.parameters)} arguments"
            raise self._refusal(at_fault, f"{asked} takes {count}, not {len(node.args)}", f"write {asked}({form})")
        kwargs: dict[str, Literal] = {}
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in wanted.keywords:
                hint = did_you_mean(keyword.arg or "**", wanted.keywords)
                raise self._refusal(keyword, f"{asked} has no argument '{keyword.arg or '**'}'", hint)
            if keyword.arg in kwargs:
                raise self._refusal(keyword, f"{asked} is given '{keyword.arg}' twice")
            kwargs[keyword.arg] = self._typed(keyword.arg, keyword.value, kind)
        return [self._literal(arg) for arg in node.args], kwargs

    def _typed(self, name: str, node: ast.expr, kind: FigureKind) -> Literal:
        """A keyword that is also an option of the figure, such as `layer`, has the option's type."""
        value, option = self._literal(node), kind.options.get(name)
        if option and option.type == "integer" and not isinstance(value, int):
            raise self._refusal(node, f"'{name}' is a whole number, not {self._source(node)}", option.hint)
        return value

    def _literal(self, node: ast.expr) -> Literal:
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=str() | int() | float() as value) if isinstance(value, str) or _is_finite(value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)) if _is_finite(value):
                return -value
            case ast.Name(id=name):
                raise self._refusal(node, f"'{name}' is not a text or a number", f'write "{name}"')
        raise self._refusal(node, f"`{short(self._source(node))}` is not a text or a number", "arguments are written out")

    def _blamed(self, node: ast.Call, kind: FigureKind, quantity: str, error: AuthorError) -> int:
        """The argument that the figure's error names, else one whose text the message quotes, else the call."""
        named = dict(zip(kind.quantities[quantity].parameters, node.args, strict=False))
        named |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        if error.option in named:
            return self._offset(named[error.option])
        for argument in named.values():
            value = argument.value if isinstance(argument, ast.Constant) else None
            if isinstance(value, str) and value and any(f"{a}{value}{b}" in error.message for a, b in _QUOTES):
                return self._offset(argument)
        return self._offset(node)


_QUOTES = (("«", "»"), ("'", "'"), ('"', '"'), ("`", "`"), ("“", "”"))


def _is_finite(value: float | int) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False
