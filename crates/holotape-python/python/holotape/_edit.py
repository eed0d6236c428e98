"""What can be done with one recording: edits, each of which gives a new one, and what there is to say about it."""

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


class Edits:
    """Edits, checks and numbers of a recording."""

    __slots__ = ()

    _native: _holotape.Recording

    def _made(self, native: _holotape.Recording) -> Self:
        """A recording of the same class."""
        raise NotImplementedError

    def replace(
        self,
        *,
        curves: Mapping[str, ArrayLike] | None = None,
        markers: Iterable[tuple[float, str]] | None = None,
        **options: Unpack[FormatOptions],
    ) -> Self:
        """The same with other keys, markers or format. Keys are structured arrays like :attr:`Curve.keys`.

        >>> import holotape
        >>> take = holotape.demo(seconds=1)
        >>> higher = take["camera.position.y"].keys.copy()
        >>> higher["value"] += 0.1
        >>> moved = take.replace(curves={"camera.position.y": higher}, markers=[(0.5, "half way")])
        >>> moved.markers
        [Marker(time=0.5, name='half way')]
        """
        rows = [(name, _key_rows(name, np.asarray(keys))) for name, keys in (curves or {}).items()]
        listed = None if markers is None else [(float(time), str(name)) for time, name in markers]
        return self._made(self._native.replace(rows, listed, _holotape.WriteOptions(**options)))

    def trim(self, start: float | None = None, end: float | None = None) -> Self:
        """The part between two times, which starts at 0: what ``take[start:end]`` is. Exact at both ends."""
        return self._made(self._native.trim(start, end))

    def retime(self, *, speed: float = 1.0, shift: float = 0.0) -> Self:
        """Faster or slower, and then so many seconds later."""
        return self._made(self._native.retime(speed, shift))

    def resample(self, rate: float) -> Self:
        """With one key a frame, so many a second."""
        return self._made(self._native.resample(rate))

    def mirror(self) -> Self:
        """As in a mirror: what was on the right is on the left."""
        return self._made(self._native.mirror())

    def transform(self, *, yaw: float = 0.0, translation: Sequence[float] = (0.0, 0.0, 0.0)) -> Self:
        """Turned about the vertical axis through the origin, in degrees to the right, and then moved, in metres."""
        return self._made(self._native.transform(yaw, translation))

    def head_to_origin(self, *, keep_height: bool = False) -> Self:
        """Turned and moved so that the first pose of the head is at the origin and faces forward."""
        return self._made(self._native.head_to_origin(keep_height))

    def select(self, *names: str) -> Self:
        """Some parts only: ``camera``, ``gaze``, ``hands``, ``left``, ``right``, ``IndexTip``, ``left.IndexTip``."""
        return self._made(self._native.select(names, False))

    def without(self, *names: str) -> Self:
        """All but some parts."""
        return self._made(self._native.select(names, True))

    def optimize(
        self,
        *,
        joint: tuple[float, float] = (0.001, 0.2),
        camera: tuple[float, float] = (0.002, 0.2),
        gaze: tuple[float, float] = (0.002, 0.2),
    ) -> tuple[Self, OptimizeReport]:
        """With the fewest keys such that nothing is further from what it was than this, in metres and degrees.

        >>> import holotape
        >>> small, report = holotape.demo(seconds=2).optimize()
        >>> report.keys_after < report.keys_before / 2
        True
        """
        native, report = self._native.optimize(joint, camera, gaze)
        return self._made(native), _reports.optimize_report(report)

    def check(self, *, max_speed: float = 20.0, max_bone_change: float = 0.5) -> list[Finding]:
        """What is wrong with it, the worst first: see :func:`holotape.check`, which also takes files that are broken."""
        return _reports.findings(self._native.check(max_speed, max_bone_change))

    def repair(self) -> tuple[Self, RepairReport]:
        """Mended, and what was done: see :func:`holotape.repair`, which also takes files that are broken."""
        native, report = self._native.repair()
        return self._made(native), _reports.repair_report(report)

    def stats(self, *, travel_rate: float = 15.0, saccade_speed: float = 30.0, fixation: float = 0.06) -> dict[str, Any]:
        """What somebody did, in numbers by name: a row of a data frame.

        >>> import holotape
        >>> stats = holotape.demo().stats()
        >>> stats["right.pinches.count"], round(stats["head.path_m"], 1) > 0
        (2, True)
        """
        return _reports.flat(self._native.stats(travel_rate, saccade_speed, fixation))


def _key_rows(name: str, keys: NDArray[Any]) -> list[tuple[float, float, Any]]:
    if keys.dtype.names is None or not {"time", "value"} <= set(keys.dtype.names):
        raise TypeError(f"the keys of {name} have to be a structured array with the fields time and value")
    shape = [field for field in BEZIER_KEY.names or () if field not in ("time", "value")]
    if not set(shape) <= set(keys.dtype.names):
        return [(*row, None) for row in keys[["time", "value"]].tolist()]
    return [(row[0], row[1], row[2:]) for row in keys[["time", "value", *shape]].tolist()]
