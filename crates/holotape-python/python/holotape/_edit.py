"""Edits, checks and statistics of one recording. Each edit returns a new recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape, _reports
from holotape._curves import BEZIER_KEY
from holotape._reports import Finding, OptimizeReport, RepairReport

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from holotape._options import FormatOptions


class EditMixin:
    """Edits, checks and statistics of a recording."""

    __slots__ = ()

    _native: _holotape.Recording

    def _wrap(self, native: _holotape.Recording) -> Self:
        """Returns a recording of the same class."""
        raise NotImplementedError

    def replace(
        self,
        *,
        curves: Mapping[str, ArrayLike] | None = None,
        markers: Iterable[tuple[float, str]] | None = None,
        **options: Unpack[FormatOptions],
    ) -> Self:
        """Replaces keys, markers or format. Keys are structured arrays like :attr:`Curve.keys`.

        >>> import holotape
        >>> recording = holotape.demo(seconds=1)
        >>> higher = recording["camera.position.y"].keys.copy()
        >>> higher["value"] += 0.1
        >>> moved = recording.replace(curves={"camera.position.y": higher}, markers=[(0.5, "half way")])
        >>> moved.markers
        [Marker(time=0.5, name='half way')]
        """
        rows = [(name, _key_rows(name, np.asarray(keys))) for name, keys in (curves or {}).items()]
        listed = None if markers is None else [(float(time), str(name)) for time, name in markers]
        return self._wrap(self._native.replace(rows, listed, _holotape.WriteOptions(**options)))

    def trim(self, start: float | None = None, end: float | None = None) -> Self:
        """Extracts a span, exact at both ends, as ``recording[start:end]`` does. Times are in seconds; the result starts
        at 0."""
        return self._wrap(self._native.trim(start, end))

    def retime(self, *, speed: float = 1.0, shift: float = 0.0) -> Self:
        """Multiplies the speed, then shifts everything later by ``shift`` seconds."""
        return self._wrap(self._native.retime(speed, shift))

    def resample(self, rate: float) -> Self:
        """Writes one key per frame, at ``rate`` Hz."""
        return self._wrap(self._native.resample(rate))

    def mirror(self) -> Self:
        """Swaps left and right."""
        return self._wrap(self._native.mirror())

    def transform(self, *, yaw: float = 0.0, translation: Sequence[float] = (0.0, 0.0, 0.0)) -> Self:
        """Rotates to the right about the vertical axis through the origin (``yaw``, in degrees), then moves
        (``translation``, in metres)."""
        return self._wrap(self._native.transform(yaw, translation))

    def head_to_origin(self, *, keep_height: bool = False) -> Self:
        """Moves the first head pose to the origin, facing forward; with ``keep_height`` above the origin."""
        return self._wrap(self._native.head_to_origin(keep_height))

    def select(self, *names: str) -> Self:
        """Keeps only these body parts and joints: ``camera``, ``gaze``, ``hands``, ``left``, ``right``, ``IndexTip``,
        ``left.IndexTip``."""
        return self._wrap(self._native.select(names, False))

    def without(self, *names: str) -> Self:
        """Drops these body parts and joints."""
        return self._wrap(self._native.select(names, True))

    def optimize(
        self,
        *,
        joint: tuple[float, float] = (0.001, 0.2),
        camera: tuple[float, float] = (0.002, 0.2),
        gaze: tuple[float, float] = (0.002, 0.2),
    ) -> tuple[Self, OptimizeReport]:
        """Removes redundant keys, within tolerances in metres and degrees.

        >>> import holotape
        >>> small, report = holotape.demo(seconds=2).optimize()
        >>> report.keys_after < report.keys_before / 2
        True
        """
        native, report = self._native.optimize(joint, camera, gaze)
        return self._wrap(native), _reports.optimize_report(report)

    def check(self, *, max_speed: float = 20.0, max_bone_change: float = 0.5) -> list[Finding]:
        """Returns findings, the most severe first; see :func:`holotape.check`, which also accepts damaged files.

        ``max_speed`` is in metres per second, ``max_bone_change`` a fraction of the bone length.
        """
        return _reports.findings(self._native.check(max_speed, max_bone_change))

    def repair(self) -> tuple[Self, RepairReport]:
        """Repairs the recording, and reports how; see :func:`holotape.repair`, which also accepts damaged files."""
        native, report = self._native.repair()
        return self._wrap(native), _reports.repair_report(report)

    def stats(
        self, *, path_rate: float = 15.0, saccade_speed: float = 30.0, min_fixation: float = 0.06
    ) -> dict[str, Any]:
        """Returns motion statistics by name, as one row of a data frame. The names are those of the SQL columns.

        ``path_rate`` is in Hz, ``saccade_speed`` in degrees per second, ``min_fixation`` in seconds.

        >>> import holotape
        >>> stats = holotape.demo().stats()
        >>> stats["right_pinch_count"], stats["head_path_m"] > 0
        (2, True)
        """
        return _reports.statistics(self._native.stats(path_rate, saccade_speed, min_fixation))


def _key_rows(name: str, keys: NDArray[Any]) -> list[tuple[float, float, Any]]:
    if keys.dtype.names is None or not {"time", "value"} <= set(keys.dtype.names):
        raise TypeError(f"keys of {name} must be a structured array with the fields time and value")
    shape = [field for field in BEZIER_KEY.names or () if field not in ("time", "value")]
    if not set(shape) <= set(keys.dtype.names):
        return [(*row, None) for row in keys[["time", "value"]].tolist()]
    return [(row[0], row[1], row[2:]) for row in keys[["time", "value", *shape]].tolist()]
