"""What the library has to say about recordings, as objects."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


def _span(entry: dict[str, Any]) -> tuple[float, float] | None:
    first, last = entry.get("first_secs"), entry.get("last_secs")
    return None if first is None or last is None else (first, last)


@dataclass(frozen=True)
class Finding:
    """A fault in one part of a recording: all of its occurrences there in one.

    >>> import holotape
    >>> path = holotape.demo(seconds=1).to_bytes()[:-9]
    >>> holotape.check(path)[0].code
    'truncated'
    """

    code: str
    """What is wrong, in a word: ``rotation-w-lost``."""
    severity: str
    """How much it matters: ``error``, ``warning`` or ``note``."""
    place: str
    """What it is wrong with: ``camera``, ``left.IndexTip``, ``file``."""
    count: int
    """How often."""
    span: tuple[float, float] | None
    """The first and the last time at which it was seen, in seconds."""
    message: str
    """The fault in words."""
    advice: str
    """What can be done about it."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.place}: {self.message} [{self.code}]"


@dataclass(frozen=True)
class RepairEntry:
    """A fault that was mended, or could not be."""

    code: str
    """What was wrong, in a word."""
    place: str
    """What it was wrong with."""
    count: int
    """How often."""
    span: tuple[float, float] | None
    """The first and the last time of it, in seconds."""
    message: str
    """What was done, or what is lost, in words."""

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.code}]"


@dataclass(frozen=True)
class RepairReport:
    """What a repair did, and what it could not save. It counts as true if there was anything to do."""

    done: list[RepairEntry]
    """What was mended."""
    lost: list[RepairEntry]
    """What could not be."""

    def __bool__(self) -> bool:
        return bool(self.done or self.lost)

    def __str__(self) -> str:
        lines = [f"done: {entry}" for entry in self.done] + [f"lost: {entry}" for entry in self.lost]
        return "\n".join(lines)


@dataclass(frozen=True)
class OptimizeReport:
    """What key reduction did."""

    keys_before: int
    """How many keys the curves of numbers had."""
    keys_after: int
    """How many they have now."""
    max_position_error_m: float
    """The furthest that a position is from a key that was left out, in metres."""
    max_rotation_error_deg: float
    """The furthest that a rotation is turned from one, in degrees."""
    max_direction_error_deg: float
    """The furthest that the gaze is from one, in degrees."""
    untouched: dict[str, str]
    """What could not be reduced, and why."""


@dataclass(frozen=True)
class Worst:
    """The largest difference of its sort, and when it was."""

    value: float
    """Metres or degrees."""
    time: float
    """Seconds."""


@dataclass(frozen=True)
class PoseDiff:
    """How far apart something is in two recordings."""

    position_m: Worst
    """In position, or in the origin of the gaze."""
    angle_deg: Worst
    """In rotation, or in the direction of the gaze."""


@dataclass(frozen=True)
class Difference:
    """Something that one recording has and the other has not, or has otherwise."""

    aspect: str
    """In what respect: ``duration``, ``markers`` …"""
    words: str
    """What."""

    def __str__(self) -> str:
        return f"{self.aspect}: {self.words}"


@dataclass(frozen=True)
class Diff:
    """How two recordings differ."""

    differences: list[Difference]
    """What one has and the other has not, or has otherwise."""
    compared: float
    """Up to which time poses were compared, in seconds."""
    poses: dict[str, PoseDiff]
    """How far apart things are: ``camera``, ``left.Wrist`` … and ``gaze``."""
    within_tolerance: bool | None
    """Whether they are the same motion by the tolerance that was given."""


def findings(text: str) -> list[Finding]:
    """Findings from JSON."""
    return [
        Finding(
            code=entry["code"],
            severity=entry["severity"],
            place=entry["place"],
            count=entry["count"],
            span=_span(entry),
            message=entry["message"],
            advice=entry["advice"],
        )
        for entry in json.loads(text)
    ]


def repair_report(text: str) -> RepairReport:
    """A report from JSON."""
    report = json.loads(text)
    entries = [
        [RepairEntry(entry["code"], entry["place"], entry["count"], _span(entry), entry["message"]) for entry in part]
        for part in (report["done"], report["lost"])
    ]
    return RepairReport(*entries)


def optimize_report(text: str) -> OptimizeReport:
    """A report from JSON."""
    report = json.loads(text)
    untouched = {entry["bundle"]: entry["reason"] for entry in report.pop("untouched")}
    return OptimizeReport(untouched=untouched, **report)


def diff_of(text: str, within_tolerance: bool | None) -> Diff:
    """A comparison from JSON, in which numbers that are none are words."""

    def worst(entry: dict[str, Any]) -> Worst:
        return Worst(float(entry["value"]), float(entry["time_secs"]))

    diff = json.loads(text)
    poses = {pose["id"]: PoseDiff(worst(pose["position_m"]), worst(pose["rotation_deg"])) for pose in diff["poses"]}
    if diff["gaze"] is not None:
        poses["gaze"] = PoseDiff(worst(diff["gaze"]["origin_m"]), worst(diff["gaze"]["direction_deg"]))
    differences = [Difference(entry["aspect"], entry["words"]) for entry in diff["differences"]]
    return Diff(differences, float(diff["compared_secs"]), poses, within_tolerance)


def flat(text: str) -> dict[str, Any]:
    """Numbers of a JSON object by name, with dots where it has objects in objects; what is absent is left out."""
    numbers: dict[str, Any] = {}

    def add(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                add(f"{prefix}.{name}" if prefix else name, part)
        elif value is not None:
            numbers[prefix] = value

    add("", json.loads(text))
    return numbers
