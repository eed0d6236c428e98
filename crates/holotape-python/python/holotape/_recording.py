"""Recordings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape, _reports
from holotape._curves import BEZIER_KEY, Curve, Curves, as_times
from holotape._loss import Loss, told
from holotape._options import PathLike, TableName
from holotape._play import Player
from holotape._reports import Finding, OptimizeReport, RepairReport
from holotape._samples import HandSamples, Samples
from holotape._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from typing_extensions import Unpack

    from holotape._options import FormatOptions, TableOptions, WriteOptions


class Marker(NamedTuple):
    """A named moment."""

    time: float
    """Seconds from the start."""
    name: str
    """What happened."""


class Recording:
    """What a head, two hands and a pair of eyes did.

    A recording never changes: everything that edits one gives a new one. It can be compared, pickled, cut like a list,
    and used by several threads.

    >>> import holotape
    >>> take = holotape.demo(seconds=3)
    >>> take
    <Recording: 3.000 s, 181 frames, camera, hands, gaze, 4 markers>
    >>> take[1.0:2.5].duration
    1.5
    """

    __slots__ = ("__weakref__", "_frame_count", "_native", "losses")

    losses: Sequence[Loss]
    """What the file that it was opened from had and a recording has no place for. Empty for input animations."""

    def __init__(self, native: _holotape.Recording, losses: Sequence[Loss] = ()) -> None:
        self._native = native
        self._frame_count: int | None = None
        self.losses = tuple(losses)

    # What it is.

    @property
    def version(self) -> str:
        """The version of the format that it came in, and is saved as: ``1.0`` or ``1.1``."""
        return self._native.version

    @property
    def key_layout(self) -> str:
        """The keys that it came with, and is saved with: ``full`` or ``compact``."""
        return self._native.key_layout

    @property
    def marker_list(self) -> bool:
        """Whether its file has a list of markers, if only an empty one."""
        return self._native.marker_list

    @property
    def duration(self) -> float:
        """How long it is, in seconds."""
        return self._native.duration

    @property
    def markers(self) -> list[Marker]:
        """Named moments, in the order of the file."""
        return [Marker(*marker) for marker in self._native.markers]

    # What is in it.

    @property
    def curves(self) -> Curves:
        """All curves, by name."""
        return Curves(self._native)

    @property
    def camera(self) -> Curves:
        """The curves of the head: ``position.x`` to ``rotation.w``. Empty if it was not recorded."""
        return Curves(self._native, "camera.")

    @property
    def left(self) -> Curves:
        """The curves of the left hand: ``tracked``, ``pinching``, ``IndexTip.position.x`` …"""
        return Curves(self._native, "left.")

    @property
    def right(self) -> Curves:
        """The curves of the right hand."""
        return Curves(self._native, "right.")

    @property
    def gaze(self) -> Curves:
        """The curves of the eyes: ``origin.x`` to ``direction.z``."""
        return Curves(self._native, "gaze.")

    @property
    def frame_times(self) -> NDArray[np.float64]:
        """The times at which any curve has a key, rising: those of the frames that were recorded."""
        return self._native.key_times()

    def frame(self, time: float, *, untracked: bool = False) -> dict[str, Any]:
        """Everything at one time, as a dictionary: what ``holotape sample`` prints. What is absent is left out.

        >>> import holotape
        >>> sorted(holotape.demo(seconds=1).frame(0.5))
        ['camera', 'gaze', 'left', 'right', 'time']
        """
        return self._native.frame(time, untracked)

    @overload
    def sample(self, times: ArrayLike, *, untracked: bool = ...) -> Samples: ...

    @overload
    def sample(
        self, *, rate: float, start: float | None = ..., end: float | None = ..., untracked: bool = ...
    ) -> Samples: ...

    def sample(
        self,
        times: ArrayLike | None = None,
        *,
        rate: float | None = None,
        start: float | None = None,
        end: float | None = None,
        untracked: bool = False,
    ) -> Samples:
        """Everything at many times, as arrays: at these, in any order, or at a rate from start to end.

        Rotations and directions have length 1. The joints of a hand that was not tracked are NaN, unless ``untracked``
        asks for what the curves happen to be there. Other threads run meanwhile, and many times use all cores.

        >>> import holotape
        >>> take = holotape.demo(seconds=2)
        >>> take.sample([0.0, 0.5]).camera.shape
        (2, 7)
        >>> take.sample(rate=60).right.joints.shape
        (121, 27, 7)
        """
        if (times is None) == (rate is None):
            raise TypeError("sample takes either times or a rate")
        if rate is None and (start is not None or end is not None):
            raise TypeError("start and end go with a rate")
        at = self._native.times(rate, start, end) if rate is not None else as_times(times if times is not None else ())
        time, camera, (left_tracked, left_pinching, left), (right_tracked, right_pinching, right), gaze = (
            self._native.sample(at, untracked)
        )
        left_hand = HandSamples(left, left_tracked, left_pinching)
        right_hand = HandSamples(right, right_tracked, right_pinching)
        return Samples(time, camera, left_hand, right_hand, gaze)

    # Tables.

    def table(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> Table:
        """A table that every program takes which reads Arrow: ``frames``, a row for each instant, or ``keys``, a row for
        each key. The same as in a Parquet file."""
        native = _holotape.WriteOptions(to="arrow", table=table, **options)
        native.check(None)
        return Table(self._native, native)

    def to_arrow(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> pyarrow.Table:
        """A table for pyarrow, without a copy.

        >>> import holotape
        >>> holotape.demo(seconds=1).to_arrow("keys").column_names[:3]
        ['curve', 'time', 'value']
        """
        return self.table(table, **options).to_arrow()

    def to_pandas(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> pandas.DataFrame:
        """A table for pandas.

        >>> import holotape
        >>> holotape.demo(seconds=1).to_pandas(rate=30)["left.IndexTip.position.y"].count().item()
        31
        """
        return self.table(table, **options).to_pandas()

    def to_polars(self, table: TableName = "frames", **options: Unpack[TableOptions]) -> polars.DataFrame:
        """A table for Polars."""
        return self.table(table, **options).to_polars()

    # Files.

    def save(self, path: PathLike, **options: Unpack[WriteOptions]) -> list[Loss]:
        """Writes a file of the kind that its name says, and gives what that could not hold, which is also warned of. A file
        that is there is replaced in one step.

        >>> import holotape
        >>> holotape.demo(seconds=1).save("take.glb")
        []
        """
        native = _holotape.WriteOptions(**options)
        native.check(path)
        return told(self._native.save(path, native), strict=options.get("strict", False))

    def to_bytes(self, **options: Unpack[WriteOptions]) -> bytes:
        """The bytes of a file: an input animation, or what ``to`` says."""
        native = _holotape.WriteOptions(**options)
        native.check(None)
        data, losses = self._native.to_bytes(native)
        told(losses, strict=options.get("strict", False))
        return data

    def to_svg(
        self,
        *,
        curves: Sequence[str] = (),
        span: tuple[float, float] | None = None,
        size: tuple[int, int] | None = None,
        theme: str = "light",
        title: str | None = None,
    ) -> str:
        """A picture of what somebody did, as ``holotape plot`` draws it; or of curves, by name, with ``*`` for any part."""
        picture = self._native.picture(
            png=False, curves=curves, span=span, size=size, scale=1.0, theme=theme, title=title
        )
        return picture.decode()

    def to_png(
        self,
        *,
        curves: Sequence[str] = (),
        span: tuple[float, float] | None = None,
        size: tuple[int, int] | None = None,
        scale: float = 1.0,
        theme: str = "light",
        title: str | None = None,
    ) -> bytes:
        """The same picture as PNG, with ``scale`` pixels for each."""
        return self._native.picture(
            png=True, curves=curves, span=span, size=size, scale=scale, theme=theme, title=title
        )

    # Edits. Each gives a new recording.

    def replace(
        self,
        *,
        curves: Mapping[str, ArrayLike] | None = None,
        markers: Iterable[tuple[float, str]] | None = None,
        **options: Unpack[FormatOptions],
    ) -> Recording:
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
        return Recording(self._native.replace(rows, listed, _holotape.WriteOptions(**options)), self.losses)

    def trim(self, start: float | None = None, end: float | None = None) -> Recording:
        """The part between two times, which starts at 0: what ``take[start:end]`` is. Exact at both ends."""
        return Recording(self._native.trim(start, end))

    def retime(self, *, speed: float = 1.0, shift: float = 0.0) -> Recording:
        """Faster or slower, and then so many seconds later."""
        return Recording(self._native.retime(speed, shift))

    def resample(self, rate: float) -> Recording:
        """With one key a frame, so many a second."""
        return Recording(self._native.resample(rate))

    def mirror(self) -> Recording:
        """As in a mirror: what was on the right is on the left."""
        return Recording(self._native.mirror())

    def transform(self, *, yaw: float = 0.0, translation: Sequence[float] = (0.0, 0.0, 0.0)) -> Recording:
        """Turned about the vertical axis through the origin, in degrees to the right, and then moved, in metres."""
        return Recording(self._native.transform(yaw, translation))

    def head_to_origin(self, *, keep_height: bool = False) -> Recording:
        """Turned and moved so that the first pose of the head is at the origin and faces forward."""
        return Recording(self._native.head_to_origin(keep_height))

    def select(self, *names: str) -> Recording:
        """Some parts only: ``camera``, ``gaze``, ``hands``, ``left``, ``right``, ``IndexTip``, ``left.IndexTip``."""
        return Recording(self._native.select(names, False))

    def without(self, *names: str) -> Recording:
        """All but some parts."""
        return Recording(self._native.select(names, True))

    def optimize(
        self,
        *,
        joint: tuple[float, float] = (0.001, 0.2),
        camera: tuple[float, float] = (0.002, 0.2),
        gaze: tuple[float, float] = (0.002, 0.2),
    ) -> tuple[Recording, OptimizeReport]:
        """With the fewest keys such that nothing is further from what it was than this, in metres and degrees.

        >>> import holotape
        >>> small, report = holotape.demo(seconds=2).optimize()
        >>> report.keys_after < report.keys_before / 2
        True
        """
        native, report = self._native.optimize(joint, camera, gaze)
        return Recording(native), _reports.optimize_report(report)

    # What is wrong with it, and what somebody did.

    def check(self, *, max_speed: float = 20.0, max_bone_change: float = 0.5) -> list[Finding]:
        """What is wrong with it, the worst first: see :func:`holotape.check`, which also takes files that are broken."""
        return _reports.findings(self._native.check(max_speed, max_bone_change))

    def repair(self) -> tuple[Recording, RepairReport]:
        """Mended, and what was done: see :func:`holotape.repair`, which also takes files that are broken."""
        native, report = self._native.repair()
        return Recording(native), _reports.repair_report(report)

    def stats(self, *, travel_rate: float = 15.0, saccade_speed: float = 30.0, fixation: float = 0.06) -> dict[str, Any]:
        """What somebody did, in numbers by name: a row of a data frame.

        >>> import holotape
        >>> stats = holotape.demo().stats()
        >>> stats["right.pinches.count"], round(stats["head.path_m"], 1) > 0
        (2, True)
        """
        return _reports.flat(self._native.stats(travel_rate, saccade_speed, fixation))

    def player(
        self,
        *,
        speed: float = 1.0,
        looping: bool = False,
        span: tuple[float, float] | None = None,
        untracked: bool = False,
    ) -> Player:
        """A player of it: a clock in, frames and events out."""
        return Player(self._native.player(), speed=speed, looping=looping, span=span, untracked=untracked)

    # Pictures with matplotlib.

    def plot(self, *, title: str | None = None) -> Figure:
        """Where the head and the palms were, when hands were tracked and pinching, and markers, over time."""
        from holotape import _plot

        return _plot.overview(self, title)

    def plot_timeline(self, ax: Axes | None = None) -> Axes:
        """When hands were tracked and pinching, and markers."""
        from holotape import _plot

        return _plot.timeline(self, ax)

    def plot_hands(self, time: float, ax: Axes | None = None) -> Axes:
        """The skeletons of both hands at a time, in three dimensions."""
        from holotape import _plot

        return _plot.hands(self, time, ax)

    # What Python expects.

    @overload
    def __getitem__(self, key: str) -> Curve: ...

    @overload
    def __getitem__(self, key: slice) -> Recording: ...

    def __getitem__(self, key: str | slice) -> Curve | Recording:
        """A curve by its name, or the part between two times."""
        if isinstance(key, str):
            return self.curves[key]
        if not isinstance(key, slice):
            raise TypeError("a recording is cut by time, take[1.0:2.5], and has curves by name")
        if key.step is not None:
            raise ValueError("a recording has no steps: take.resample(rate) gives it other frames")
        return self.trim(key.start, key.stop)

    def __len__(self) -> int:
        """How many frames were recorded: times at which any curve has a key."""
        if self._frame_count is None:
            self._frame_count = len(self.frame_times)
        return self._frame_count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The frames that were recorded, one dictionary each."""
        return (self.frame(time) for time in self.frame_times.tolist())

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same, bit for bit, the format included."""
        return self._native == other._native if isinstance(other, Recording) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._native.dump(), self.losses)

    def __repr__(self) -> str:
        markers = len(self._native.markers)
        parts = [f"{self.duration:.3f} s", f"{len(self)} frames", *_channels(self)]
        return f"<Recording: {', '.join(parts)}, {markers} marker{'' if markers == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from holotape import _html

        return _html.of_recording(self)


def _channels(take: Recording) -> list[str]:
    channels = {"camera": take.camera, "hands": take.left, "gaze": take.gaze}
    return [name for name, curves in channels.items() if curves]


def _key_rows(name: str, keys: NDArray[Any]) -> list[tuple[float, float, Any]]:
    if keys.dtype.names is None or not {"time", "value"} <= set(keys.dtype.names):
        raise TypeError(f"the keys of {name} have to be a structured array with the fields time and value")
    shape = [field for field in BEZIER_KEY.names or () if field not in ("time", "value")]
    if not set(shape) <= set(keys.dtype.names):
        return [(*row, None) for row in keys[["time", "value"]].tolist()]
    return [(row[0], row[1], row[2:]) for row in keys[["time", "value", *shape]].tolist()]


def _restore(data: bytes, losses: Sequence[Loss]) -> Recording:
    native, _, _ = _holotape.from_bytes(data, "unity")
    return Recording(native, losses)


def read_source(source: Any) -> str | bytes:
    """The path of a source, or its bytes."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, str | os.PathLike):
        return str(Path(source)) if isinstance(source, os.PathLike) else source
    if not hasattr(source, "read"):
        raise TypeError(f"a recording is opened from a path, bytes or a file, not from {type(source).__name__}")
    data = source.read()
    if not isinstance(data, bytes):
        raise TypeError("the file has to be open for reading bytes: open(path, 'rb')")
    return data
