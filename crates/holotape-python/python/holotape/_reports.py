"""Reports of checks, repairs, optimization and comparison."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


def _span(entry: dict[str, Any]) -> tuple[float, float] | None:
    start, end = entry.get("start_secs"), entry.get("end_secs")
    return None if start is None or end is None else (start, end)


@dataclass(frozen=True)
class Finding:
    """A problem of one subject: all its occurrences together.

    >>> import holotape
    >>> path = holotape.demo(seconds=1).to_bytes()[:-9]
    >>> holotape.check(path)[0].code
    'truncated'
    """

    code: str
    """The kind of finding, such as ``rotation-w-lost``."""
    severity: str
    """``error``, ``warning`` or ``note``."""
    subject: str
    """What the finding is about: ``camera``, ``left.IndexTip``, ``file``."""
    count: int
    """Number of occurrences."""
    span_secs: tuple[float, float] | None
    """The times of the first and the last occurrence."""
    message: str
    """A description."""
    advice: str
    """What to do about it."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.subject}: {self.message} [{self.code}]"


@dataclass(frozen=True)
class RepairEntry:
    """A finding that was repaired, or data that was lost."""

    code: str
    """The kind of finding."""
    subject: str
    """What was repaired or lost."""
    count: int
    """Number of occurrences."""
    span_secs: tuple[float, float] | None
    """The times of the first and the last occurrence."""
    message: str
    """A description."""

    def __str__(self) -> str:
        return f"{self.subject}: {self.message} [{self.code}]"


@dataclass(frozen=True)
class RepairReport:
    """The result of a repair. It is true if there was anything to repair."""

    repaired: list[RepairEntry]
    """Repaired findings."""
    lost: list[RepairEntry]
    """Lost data."""

    def __bool__(self) -> bool:
        return bool(self.repaired or self.lost)

    def __str__(self) -> str:
        lines = [f"repaired: {entry}" for entry in self.repaired] + [f"lost: {entry}" for entry in self.lost]
        return "\n".join(lines)


@dataclass(frozen=True)
class OptimizeReport:
    """The result of an optimization."""

    keys_before: int
    """Number of keys of float curves before."""
    keys_after: int
    """Number of keys of float curves after."""
    max_position_error_m: float
    """Maximum error of a position at a removed key, in metres."""
    max_rotation_error_deg: float
    """Maximum error of a rotation at a removed key, in degrees."""
    max_direction_error_deg: float
    """Maximum error of the gaze direction at a removed key, in degrees."""
    skipped: dict[str, str]
    """Vectors that could not be reduced, and the reasons."""


@dataclass(frozen=True)
class MaxDifference:
    """A maximum difference and its time."""

    value: float
    """In metres or degrees."""
    time: float
    """In seconds."""


@dataclass(frozen=True)
class PoseDiff:
    """The maximum differences of a pose, or of the gaze."""

    position_m: MaxDifference
    """Of the position, or of the gaze origin."""
    rotation_deg: MaxDifference
    """Of the rotation, or of the gaze direction."""


@dataclass(frozen=True)
class Difference:
    """A difference in the contents of two recordings."""

    aspect: str
    """``duration``, ``markers`` …"""
    message: str
    """A description."""

    def __str__(self) -> str:
        return f"{self.aspect}: {self.message}"


@dataclass(frozen=True)
class Diff:
    """The differences of two recordings."""

    differences: list[Difference]
    """Differences in their contents."""
    compared_secs: float
    """The time up to which poses were compared."""
    poses: dict[str, PoseDiff]
    """Maximum differences of ``camera``, ``left.Wrist`` … and ``gaze``."""
    within_tolerance: bool | None
    """Whether the motion is equal within the tolerance; None without one."""


def findings(text: str) -> list[Finding]:
    """Parses findings from JSON."""
    return [
        Finding(
            code=entry["code"],
            severity=entry["severity"],
            subject=entry["subject"],
            count=entry["count"],
            span_secs=_span(entry),
            message=entry["message"],
            advice=entry["advice"],
        )
        for entry in json.loads(text)
    ]


def repair_report(text: str) -> RepairReport:
    """Parses a report from JSON."""
    report = json.loads(text)
    entries = [
        [RepairEntry(entry["code"], entry["subject"], entry["count"], _span(entry), entry["message"]) for entry in part]
        for part in (report["repaired"], report["lost"])
    ]
    return RepairReport(*entries)


def optimize_report(text: str) -> OptimizeReport:
    """Parses a report from JSON."""
    report = json.loads(text)
    skipped = {entry["vector"]: entry["reason"] for entry in report.pop("skipped")}
    return OptimizeReport(skipped=skipped, **report)


def parse_diff(text: str, within_tolerance: bool | None) -> Diff:
    """Parses a comparison from JSON, where infinities are strings."""

    def maximum(entry: dict[str, Any]) -> MaxDifference:
        return MaxDifference(float(entry["value"]), float(entry["time_secs"]))

    diff = json.loads(text)
    poses = {
        pose["id"]: PoseDiff(maximum(pose["max_position_m"]), maximum(pose["max_rotation_deg"]))
        for pose in diff["poses"]
    }
    if (gaze := diff["gaze"]) is not None:
        poses["gaze"] = PoseDiff(maximum(gaze["max_origin_m"]), maximum(gaze["max_direction_deg"]))
    differences = [Difference(entry["aspect"], entry["message"]) for entry in diff["differences"]]
    return Diff(differences, float(diff["compared_secs"]), poses, within_tolerance)


def statistics(text: str) -> dict[str, Any]:
    """Parses statistics from JSON, without those that are absent."""
    return {name: value for name, value in json.loads(text).items() if value is not None}
