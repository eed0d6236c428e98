"""What a query asks of the rows of a table, as far as a scan can see to it.

Engines offer predicates; those that :class:`Wish` takes are applied by the scan exactly as the engine would, so that the
engine need not look at the rows again. It leaves the others to the engine.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, Union

TIME_COLUMNS = {"frames": "time", "events": "start_secs", "keys": "time"}
"""The column of each table that has a row's time."""

_HAND_TABLES = ("events", "keys")


@dataclass(frozen=True)
class Compare:
    """A column beside a value: one of ``= != < <= > >=``."""

    column: str
    op: str
    value: Any


@dataclass(frozen=True)
class OneOf:
    """A column that has one of some values."""

    column: str
    values: tuple[Any, ...]

    @cached_property
    def texts(self) -> frozenset[Any]:
        """The values, for who looks for many texts among many."""
        return frozenset(self.values)


@dataclass(frozen=True)
class StartsWith:
    """A text that begins in a certain way."""

    column: str
    start: str


@dataclass(frozen=True)
class IsNull:
    """A column that has no value."""

    column: str


@dataclass(frozen=True)
class Not:
    """The opposite of a predicate."""

    of: Predicate


@dataclass(frozen=True)
class All:
    """Predicates that hold together."""

    of: tuple[Predicate, ...]


@dataclass(frozen=True)
class Any_:
    """Predicates of which one holds."""

    of: tuple[Predicate, ...]


Predicate: TypeAlias = Union[Compare, OneOf, StartsWith, IsNull, Not, All, Any_]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_End: TypeAlias = "tuple[float, bool] | None"


class Wish:
    """Which rows of a table are asked for.

    >>> wish = Wish("events")
    >>> wish.add(All((Compare("start_secs", ">=", 2.0), Compare("hand", "=", "left"))))
    True
    >>> wish.start, wish.hands
    ((2.0, True), (True, False, False))
    >>> wish.add(Compare("x", ">", 0.5))
    False
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self.start: _End = None
        self.end: _End = None
        self.hands: tuple[bool, bool, bool] = (True, True, True)
        self._takes: list[Predicate] = []

    def add(self, predicate: Predicate) -> bool:
        """Whether the scan will give only rows for which this holds, too."""
        if isinstance(predicate, All):
            # All of it or nothing: what is added for a half would not be wrong, but done twice.
            return all(self._fits(part) for part in predicate.of) and all([self.add(part) for part in predicate.of])
        if not self._fits(predicate):
            return False
        columns = _columns(predicate)
        if columns == {"take"}:
            self._takes.append(predicate)
        elif columns == {"hand"}:
            left, right, none = (_holds(predicate, value) is True for value in ("left", "right", None))
            self.hands = (self.hands[0] and left, self.hands[1] and right, self.hands[2] and none)
        elif isinstance(predicate, Compare):
            self._narrow(predicate)
        return True

    def takes(self, takes: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Those of some takes that are asked for."""
        return [take for take in takes if all(_holds(wish, take[0]) is True for wish in self._takes)]

    def _fits(self, predicate: Predicate) -> bool:
        if isinstance(predicate, All):
            return all(self._fits(part) for part in predicate.of)
        columns = _columns(predicate)
        if columns == {"take"} or (columns == {"hand"} and self.table in _HAND_TABLES):
            return _is_about_text(predicate)
        if columns == {TIME_COLUMNS.get(self.table)} and isinstance(predicate, Compare):
            return predicate.op != "!=" and isinstance(predicate.value, float)
        return False

    def _narrow(self, predicate: Compare) -> None:
        time, is_among = predicate.value, predicate.op in ("=", "<=", ">=")
        if predicate.op in ("=", ">", ">=") and (self.start is None or _later((time, not is_among), self.start)):
            self.start = (time, is_among)
        if predicate.op in ("=", "<", "<=") and (self.end is None or _later(self.end, (time, is_among))):
            self.end = (time, is_among)


def _later(one: tuple[float, bool], other: tuple[float, bool]) -> bool:
    """Whether an end is further than another; of the same time, as the flag of the one says."""
    # NaN is later than any time, as databases have it.
    time, beside = ((end != end, 0.0 if end != end else end) for end in (one[0], other[0]))
    return one[1] if time == beside else time > beside


def _columns(predicate: Predicate) -> set[str | None]:
    if isinstance(predicate, Not):
        return _columns(predicate.of)
    if isinstance(predicate, (All, Any_)):
        return set[Union[str, None]]().union(*(_columns(part) for part in predicate.of))
    return {predicate.column}


def _is_about_text(predicate: Predicate) -> bool:
    if isinstance(predicate, Not):
        return _is_about_text(predicate.of)
    if isinstance(predicate, (All, Any_)):
        return all(_is_about_text(part) for part in predicate.of)
    if isinstance(predicate, Compare):
        return isinstance(predicate.value, str)
    if isinstance(predicate, OneOf):
        return all(isinstance(value, str) for value in predicate.values)
    return True


def _holds(predicate: Predicate, value: str | None) -> bool | None:
    """Whether a predicate about one column of text holds for a value of it; nothing if nobody can tell, as in SQL."""
    if isinstance(predicate, IsNull):
        return value is None
    if isinstance(predicate, Not):
        holds = _holds(predicate.of, value)
        return None if holds is None else not holds
    if isinstance(predicate, (All, Any_)):
        # One that decides the matter, or else one that nobody can tell, or else the opposite.
        decides = isinstance(predicate, Any_)
        parts = [_holds(part, value) for part in predicate.of]
        if decides in parts:
            return decides
        return None if None in parts else not decides
    if value is None:
        return None
    # Texts are compared by their bytes.
    text = value.encode()
    if isinstance(predicate, Compare):
        return _COMPARISONS[predicate.op](text, predicate.value.encode())
    if isinstance(predicate, StartsWith):
        return text.startswith(predicate.start.encode())
    return value in predicate.texts
