"""Recordings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holotape import _holotape
from holotape._curves import Curve, Curves, as_times
from holotape._edit import Edits
from holotape._export import Exports
from holotape._loss import Loss
from holotape._play import Player
from holotape._samples import HandSamples, Samples

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from typing_extensions import Self


class Marker(NamedTuple):
    """A named moment."""

    time: float
    """Seconds from the start."""
    name: str
    """What happened."""


class Recording(Exports, Edits):
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
        self.losses = list(losses)

    def _made(self, native: _holotape.Recording) -> Self:
        return type(self)(native)

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
        return os.fsdecode(source)
    if not hasattr(source, "read"):
        raise TypeError(f"a recording is opened from a path, bytes or a file, not from {type(source).__name__}")
    data = source.read()
    if not isinstance(data, bytes):
        raise TypeError("the file has to be open for reading bytes: open(path, 'rb')")
    return data
