"""Recordings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape
from holotape._curves import Curve, Curves, to_time_array
from holotape._edit import EditMixin
from holotape._export import ExportMixin
from holotape._loss import Loss
from holotape._play import Player
from holotape._samples import HandSamples, Samples

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from typing_extensions import Self


class Marker(NamedTuple):
    """A named point in time."""

    time: float
    """Seconds from the start."""
    name: str
    """The name."""


class Recording(ExportMixin, EditMixin):
    """The motion of head, hands and gaze over time.

    A recording is immutable: every edit returns a new one. It can be compared, hashed, pickled, sliced by time, and
    shared by threads.

    >>> import holotape
    >>> recording = holotape.demo(seconds=3)
    >>> recording
    <Recording: 3.000 s, 181 frames, camera, hands, gaze, 4 markers>
    >>> recording[1.0:2.5].duration_secs
    1.5
    """

    __slots__ = ("__weakref__", "_frame_count", "_native", "losses")

    losses: Sequence[Loss]
    """Data of the opened file that a recording cannot represent. Empty for input animations."""

    def __init__(self, native: _holotape.Recording, losses: Sequence[Loss] = ()) -> None:
        self._native = native
        self._frame_count: int | None = None
        self.losses = list(losses)

    def _wrap(self, native: _holotape.Recording) -> Self:
        return type(self)(native)

    # Properties.

    @property
    def version(self) -> str:
        """The version of the file format: ``1.0`` or ``1.1``."""
        return self._native.version

    @property
    def key_layout(self) -> str:
        """The key layout of the file format: ``full`` or ``compact``."""
        return self._native.key_layout

    @property
    def marker_list(self) -> bool:
        """Whether the file has a marker list, even an empty one."""
        return self._native.marker_list

    @property
    def duration_secs(self) -> float:
        """The duration in seconds."""
        return self._native.duration_secs

    @property
    def markers(self) -> list[Marker]:
        """The markers, in file order."""
        return [Marker(*marker) for marker in self._native.markers]

    # Contents.

    @property
    def curves(self) -> Curves:
        """All curves, by name."""
        return Curves(self._native)

    @property
    def camera(self) -> Curves:
        """The curves of the head: ``position.x`` to ``rotation.w``. Empty if not recorded."""
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
        """The curves of the gaze: ``origin.x`` to ``direction.z``."""
        return Curves(self._native, "gaze.")

    @property
    def frame_times(self) -> NDArray[np.float64]:
        """The times at which any curve has a key, in order."""
        return self._native.key_times()

    def frame(self, time: float, *, include_untracked: bool = False) -> dict[str, Any]:
        """Returns the frame at a time, as a dictionary like ``holotape sample`` prints it. Absent poses are omitted.

        >>> import holotape
        >>> sorted(holotape.demo(seconds=1).frame(0.5))
        ['camera', 'gaze', 'left', 'right', 'time']
        """
        return self._native.frame(time, include_untracked)

    @overload
    def sample(self, times: ArrayLike, *, include_untracked: bool = ...) -> Samples: ...

    @overload
    def sample(
        self, *, rate: float, start: float | None = ..., end: float | None = ..., include_untracked: bool = ...
    ) -> Samples: ...

    def sample(
        self,
        times: ArrayLike | None = None,
        *,
        rate: float | None = None,
        start: float | None = None,
        end: float | None = None,
        include_untracked: bool = False,
    ) -> Samples:
        """Evaluates the recording at many times, as arrays: at ``times``, in any order, or at ``rate`` Hz from ``start``
        to ``end`` in seconds.

        Rotations and directions have length 1. The joints of an untracked hand are NaN, or interpolated with
        ``include_untracked``. Releases the interpreter lock, and uses all cores for many times.

        >>> import holotape
        >>> recording = holotape.demo(seconds=2)
        >>> recording.sample([0.0, 0.5]).camera.shape
        (2, 7)
        >>> recording.sample(rate=60).right.joints.shape
        (121, 27, 7)
        """
        if (times is None) == (rate is None):
            raise TypeError("sample needs either times or rate")
        if rate is None and (start is not None or end is not None):
            raise TypeError("start and end need rate")
        at = self._native.times(rate, start, end) if rate is not None else to_time_array(times if times is not None else ())
        time, camera, (left_tracked, left_pinching, left), (right_tracked, right_pinching, right), gaze = (
            self._native.sample(at, include_untracked)
        )
        left_hand = HandSamples(left, left_tracked, left_pinching)
        right_hand = HandSamples(right, right_tracked, right_pinching)
        return Samples(time, camera, left_hand, right_hand, gaze)

    def player(
        self,
        *,
        speed: float = 1.0,
        looping: bool = False,
        span: tuple[float, float] | None = None,
        include_untracked: bool = False,
    ) -> Player:
        """Returns a player, which turns time into frames and events."""
        return Player(
            self._native.player(), speed=speed, looping=looping, span=span, include_untracked=include_untracked
        )

    # Plots with matplotlib.

    def plot(self, *, title: str | None = None) -> Figure:
        """Draws head and palms, tracked and pinching spans, and markers over time."""
        from holotape import _plot

        return _plot.overview(self, title)

    def plot_timeline(self, ax: Axes | None = None) -> Axes:
        """Draws tracked and pinching spans, and markers."""
        from holotape import _plot

        return _plot.timeline(self, ax)

    def plot_hands(self, time: float, ax: Axes | None = None) -> Axes:
        """Draws the skeletons of both hands at a time, in 3D."""
        from holotape import _plot

        return _plot.hands(self, time, ax)

    # Python protocols.

    @overload
    def __getitem__(self, key: str) -> Curve: ...

    @overload
    def __getitem__(self, key: slice) -> Recording: ...

    def __getitem__(self, key: str | slice) -> Curve | Recording:
        """Returns a curve by name, or a span: ``recording[1.0:2.5]``."""
        if isinstance(key, str):
            return self.curves[key]
        if not isinstance(key, slice):
            raise TypeError("index with a curve name, or slice by time: recording[1.0:2.5]")
        if key.step is not None:
            raise ValueError("slices have no step; use recording.resample(rate)")
        return self.trim(key.start, key.stop)

    def __len__(self) -> int:
        """Returns the number of recorded frames: times at which any curve has a key."""
        if self._frame_count is None:
            self._frame_count = len(self.frame_times)
        return self._frame_count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterates over the recorded frames, as dictionaries."""
        return (self.frame(time) for time in self.frame_times.tolist())

    def __contains__(self, name: object) -> bool:
        """Returns whether the recording has a curve of this name: ``"camera.position.y" in recording``."""
        return isinstance(name, str) and name in self.curves

    def __bool__(self) -> bool:
        """Returns whether there are frames or markers."""
        return len(self) > 0 or len(self._native.markers) > 0

    def __hash__(self) -> int:
        return hash(self._native)

    def __eq__(self, other: object) -> bool:
        """Returns whether all data is equal, bit for bit, including the format."""
        return self._native == other._native if isinstance(other, Recording) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._native.dump(), self.losses)

    def __repr__(self) -> str:
        markers = len(self._native.markers)
        parts = [f"{self.duration_secs:.3f} s", f"{len(self)} frames", *_channels(self)]
        return f"<Recording: {', '.join(parts)}, {markers} marker{'' if markers == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from holotape import _html

        return _html.recording_html(self)


def _channels(recording: Recording) -> list[str]:
    channels = {"camera": recording.camera, "hands": recording.left, "gaze": recording.gaze}
    return [name for name, curves in channels.items() if curves]


def _restore(data: bytes, losses: Sequence[Loss]) -> Recording:
    native, _, _ = _holotape.from_bytes(data, "unity")
    return Recording(native, losses)


def read_source(source: Any) -> str | bytes:
    """Returns the path of a source, or its bytes."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, (bytearray, memoryview)):
        return bytes(source)
    if isinstance(source, (str, os.PathLike)):
        return os.fsdecode(source)
    if not hasattr(source, "read"):
        raise TypeError(f"source must be a path, bytes or a binary file object, not {type(source).__name__}")
    data = source.read()
    if not isinstance(data, bytes):
        raise TypeError("the file must be opened in binary mode: open(path, 'rb')")
    return data
