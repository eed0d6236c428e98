"""Filters of queries that are pushed down to scans.

Engines offer predicates. The scan applies those that :class:`ScanFilter` accepts, exactly as the engine would, so the
engine does not have to evaluate them again. It rejects all others.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

TIME_COLUMNS = {"frames": "time", "events": "start_secs", "keys": "time"}
"""The time column of each table."""

_HAND_TABLES = ("events", "keys")


@dataclass(frozen=True)
class Compare:
    """Compares a column with a value, by one of ``= != < <= > >=``."""

    column: str
    op: str
    value: Any


@dataclass(frozen=True)
class OneOf:
    """Tests whether a column has one of several values."""

    column: str
    values: tuple[Any, ...]

    @cached_property
    def value_set(self) -> frozenset[Any]:
        """The values, for fast look-up."""
        return frozenset(self.values)


@dataclass(frozen=True)
class StartsWith:
    """Tests whether a text starts with a prefix."""

    column: str
    prefix: str


@dataclass(frozen=True)
class IsNull:
    """Tests whether a column is null."""

    column: str


@dataclass(frozen=True)
class Not:
    """Negates a predicate."""

    operand: Predicate


@dataclass(frozen=True)
class And:
    """Tests whether all predicates hold."""

    operands: tuple[Predicate, ...]


@dataclass(frozen=True)
class Or:
    """Tests whether any predicate holds."""

    operands: tuple[Predicate, ...]


Predicate: TypeAlias = Union[Compare, OneOf, StartsWith, IsNull, Not, And, Or]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_TimeBound: TypeAlias = "tuple[float, bool] | None"
"""A time, and whether it is included."""


class ScanFilter:
    """Selects recordings, hands and times of a table.

    >>> filter = ScanFilter("events")
    >>> filter.push_down(And((Compare("start_secs", ">=", 2.0), Compare("hand", "=", "left"))))
    True
    >>> filter.start, filter.hands
    ((2.0, True), (True, False, False))
    >>> filter.push_down(Compare("x", ">", 0.5))
    False
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self.start: _TimeBound = None
        self.end: _TimeBound = None
        self.hands: tuple[bool, bool, bool] = (True, True, True)
        self._recording_predicates: list[Predicate] = []

    def push_down(self, predicate: Predicate) -> bool:
        """Adds a predicate, and returns whether the scan applies it."""
        if not self._can_push_down(predicate):
            return False
        if isinstance(predicate, And):
            return all([self.push_down(operand) for operand in predicate.operands])
        columns = _columns(predicate)
        if columns == {"recording"}:
            self._recording_predicates.append(predicate)
        elif columns == {"hand"}:
            left, right, none = (_evaluate(predicate, value) is True for value in ("left", "right", None))
            self.hands = (self.hands[0] and left, self.hands[1] and right, self.hands[2] and none)
        elif isinstance(predicate, Compare):
            self._narrow(predicate)
        return True

    def select_recordings(self, files: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Returns the files, given as names and paths, whose names match."""
        predicates = self._recording_predicates
        return [file for file in files if all(_evaluate(predicate, file[0]) is True for predicate in predicates)]

    def _can_push_down(self, predicate: Predicate) -> bool:
        if isinstance(predicate, And):
            return all(self._can_push_down(operand) for operand in predicate.operands)
        columns = _columns(predicate)
        if columns == {"recording"} or (columns == {"hand"} and self.table in _HAND_TABLES):
            return _compares_text(predicate)
        if columns == {TIME_COLUMNS.get(self.table)} and isinstance(predicate, Compare):
            return predicate.op != "!=" and isinstance(predicate.value, float)
        return False

    def _narrow(self, predicate: Compare) -> None:
        time, is_included = predicate.value, predicate.op in ("=", "<=", ">=")
        if predicate.op in ("=", ">", ">=") and (self.start is None or _is_later((time, not is_included), self.start)):
            self.start = (time, is_included)
        if predicate.op in ("=", "<", "<=") and (self.end is None or _is_later(self.end, (time, is_included))):
            self.end = (time, is_included)


def _is_later(bound: tuple[float, bool], other: tuple[float, bool]) -> bool:
    """Returns whether a bound is later than another; for equal times, the flag of the first."""
    # As in databases, NaN is later than any other time.
    time, other_time = ((time != time, 0.0 if time != time else time) for time in (bound[0], other[0]))
    return bound[1] if time == other_time else time > other_time


def _columns(predicate: Predicate) -> set[str | None]:
    if isinstance(predicate, Not):
        return _columns(predicate.operand)
    if isinstance(predicate, (And, Or)):
        return set[Union[str, None]]().union(*(_columns(operand) for operand in predicate.operands))
    return {predicate.column}


def _compares_text(predicate: Predicate) -> bool:
    if isinstance(predicate, Not):
        return _compares_text(predicate.operand)
    if isinstance(predicate, (And, Or)):
        return all(_compares_text(operand) for operand in predicate.operands)
    if isinstance(predicate, Compare):
        return isinstance(predicate.value, str)
    if isinstance(predicate, OneOf):
        return all(isinstance(value, str) for value in predicate.values)
    return True


def _evaluate(predicate: Predicate, value: str | None) -> bool | None:
    """Evaluates a predicate on one text column, in the three-valued logic of SQL: None is unknown."""
    if isinstance(predicate, IsNull):
        return value is None
    if isinstance(predicate, Not):
        result = _evaluate(predicate.operand, value)
        return None if result is None else not result
    if isinstance(predicate, (And, Or)):
        # True decides an Or and false decides an And; otherwise, an unknown operand makes the result unknown.
        deciding = isinstance(predicate, Or)
        results = [_evaluate(operand, value) for operand in predicate.operands]
        if deciding in results:
            return deciding
        return None if None in results else not deciding
    if value is None:
        return None
    # Engines compare text by its UTF-8 bytes.
    text = value.encode()
    if isinstance(predicate, Compare):
        return _COMPARISONS[predicate.op](text, predicate.value.encode())
    if isinstance(predicate, StartsWith):
        return text.startswith(predicate.prefix.encode())
    return value in predicate.value_set
