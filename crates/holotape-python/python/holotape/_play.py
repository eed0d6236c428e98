"""Playback and recording."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from holotape import _holotape
from holotape._loss import Loss, warn_losses
from holotape._options import PathLike

if TYPE_CHECKING:
    from typing_extensions import Self

    from holotape._recording import Recording


@dataclass(frozen=True)
class Event:
    """An event during playback."""

    time: float
    """Seconds from the start of the recording."""
    kind: str
    """``started``, ``paused``, ``stopped``, ``ended``, ``looped``, ``seeked``, ``hand_found``, ``hand_lost``,
    ``pinch_start``, ``pinch_end`` or ``marker``."""
    hand: str | None = None
    """``left`` or ``right``, for events of a hand."""
    marker: str | None = None
    """The name of the marker."""
    lap_count: int | None = None
    """The number of completed laps, for ``looped``."""
    from_time: float | None = None
    """The previous time, for ``seeked``."""


def _event(entry: dict[str, Any]) -> Event:
    from_time = entry.get("from_time")
    return Event(
        time=float(entry["time"]),
        kind=entry.get("event", "marker"),
        hand=entry.get("hand"),
        marker=entry.get("marker"),
        lap_count=entry.get("lap_count"),
        from_time=None if from_time is None else float(from_time),
    )


class Player:
    """Plays a recording. It has no clock: the caller advances the time, and gets the events.

    >>> import holotape
    >>> player = holotape.demo(seconds=3).player(speed=2)
    >>> player.play()
    >>> [event.kind for event in player.advance(0.25)][:3]
    ['started', 'hand_found', 'hand_found']
    >>> player.time
    0.5
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        native: _holotape.Player,
        *,
        speed: float = 1.0,
        looping: bool = False,
        span: tuple[float, float] | None = None,
        include_untracked: bool = False,
    ) -> None:
        self._native = native
        native.speed, native.looping = speed, looping
        if span is not None:
            native.set_span(*span)
        native.set_include_untracked(include_untracked)

    @property
    def state(self) -> str:
        """``stopped``, ``playing`` or ``paused``."""
        return self._native.state

    @property
    def time(self) -> float:
        """The current time, in seconds from the start of the recording."""
        return self._native.time

    @property
    def span(self) -> tuple[float, float]:
        """Start and end of the span that it plays, in seconds."""
        return self._native.span

    @property
    def speed(self) -> float:
        """Seconds of the recording per second of real time."""
        return self._native.speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._native.speed = speed

    @property
    def looping(self) -> bool:
        """Whether it restarts at the end."""
        return self._native.looping

    @looping.setter
    def looping(self, looping: bool) -> None:
        self._native.looping = looping

    def play(self) -> None:
        """Starts or resumes playback."""
        self._native.play()

    def pause(self) -> None:
        """Pauses playback."""
        self._native.pause()

    def stop(self) -> None:
        """Stops and returns to the start."""
        self._native.stop()

    def seek(self, time: float) -> None:
        """Jumps to a time, in any state."""
        self._native.seek(time)

    def advance(self, seconds: float) -> list[Event]:
        """Advances the clock, and returns the events since the last call."""
        return [_event(entry) for entry in json.loads(self._native.advance(seconds))]

    def frame(self) -> dict[str, Any]:
        """Returns the frame at the current time."""
        return self._native.frame()


@dataclass(frozen=True)
class RecorderStatus:
    """The progress of a recorder."""

    frame_count: int
    """Number of accepted frames."""
    marker_count: int
    """Number of markers."""
    duration_secs: float
    """Duration so far."""
    last_time: float | None
    """The time of the last frame."""
    over_rate: int
    """Number of frames dropped because they exceed the maximum rate."""
    out_of_order: int
    """Number of frames dropped because they are not after the previous one."""
    not_finite: int
    """Number of poses and rays dropped because of non-finite values."""


class Recorder:
    """Records live frames: dictionaries, as :meth:`Recording.frame` returns them.

    With a path, it writes a journal next to it, from which :func:`holotape.recover` recovers all frames except perhaps
    the last if the process is killed. A ``with`` block that ends without an error saves the recording at the path:

    >>> import holotape
    >>> head = {"position": [0, 1.6, 0], "rotation": [0, 0, 0, 1]}
    >>> with holotape.Recorder("walk.bin") as recorder:
    ...     for n in range(90):
    ...         pushed = recorder.push({"time": 7 + n / 60, "camera": head})
    ...     recorder.add_marker(7.5, "half way")
    >>> holotape.open("walk.bin").markers
    [Marker(time=0.5, name='half way')]

    ``max_rate`` is in Hz. ``keep_last`` keeps only that many seconds. ``gaze_fallback`` records the forward ray of the
    camera for frames without a gaze.
    """

    __slots__ = ("_native", "_path")

    def __init__(
        self,
        path: PathLike | None = None,
        *,
        max_rate: float | None = 60.0,
        keep_last: float | None = None,
        channels: Iterable[str] = ("camera", "hands", "gaze"),
        gaze_fallback: bool = True,
        journal: bool = True,
    ) -> None:
        selected = set(channels)
        if not selected <= {"camera", "hands", "gaze"}:
            raise ValueError(f"channels must be camera, hands or gaze, not {', '.join(sorted(selected))}")
        self._path = path
        self._native = _holotape.Recorder(
            max_rate,
            keep_last,
            ("camera" in selected, "hands" in selected, "gaze" in selected),
            gaze_fallback,
            _holotape.journal_path(path) if path is not None and journal else None,
        )

    def push(self, frame: Mapping[str, Any]) -> bool:
        """Records a frame. Returns false if it was dropped, because it exceeds the maximum rate or is not after the
        previous one."""
        return self._native.push(frame)

    def add_marker(self, time: float, name: str) -> None:
        """Adds a marker at a time on the clock of the frames."""
        self._native.add_marker(time, name)

    @property
    def status(self) -> RecorderStatus:
        """The progress so far."""
        return RecorderStatus(*self._native.status())

    def stop(self) -> Recording:
        """Stops and returns the recording. The journal stays until it is saved."""
        from holotape._recording import Recording

        return Recording(self._native.stop())

    def save(self, path: PathLike | None = None) -> list[Loss]:
        """Stops, saves the recording as an input animation, and removes the journal."""
        target = path if path is not None else self._path
        if target is None:
            raise ValueError("missing path: pass one to save() or to Recorder()")
        return warn_losses(self._native.save(target))

    def discard(self) -> None:
        """Stops, and discards the recording and its journal."""
        self._native.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error_type is None and self._path is not None:
            self.save()
