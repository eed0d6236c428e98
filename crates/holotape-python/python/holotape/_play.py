"""Playing and recording."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from holotape import _holotape
from holotape._loss import Loss, told
from holotape._options import PathLike

if TYPE_CHECKING:
    from typing_extensions import Self

    from holotape._recording import Recording


@dataclass(frozen=True)
class Event:
    """Something that happened while a recording played."""

    time: float
    """Seconds from the start of the recording."""
    kind: str
    """``started``, ``paused``, ``stopped``, ``ended``, ``looped``, ``sought``, ``hand_found``, ``hand_lost``,
    ``pinch_began``, ``pinch_ended`` or ``marker``."""
    hand: str | None = None
    """Which hand: ``left`` or ``right``."""
    marker: str | None = None
    """The name of the marker that was passed."""
    laps: int | None = None
    """How often the end was passed, where it looped."""
    from_time: float | None = None
    """Where it was before, if it sought another time."""


def _event(entry: dict[str, Any]) -> Event:
    came_from = entry.get("from")
    return Event(
        time=float(entry["time"]),
        kind=entry.get("event", "marker"),
        hand=entry.get("hand"),
        marker=entry.get("marker"),
        laps=entry.get("laps"),
        from_time=None if came_from is None else float(came_from),
    )


class Player:
    """A recording that plays. It has no clock of its own: it is told how much time has passed, and says what happened.

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
        untracked: bool = False,
    ) -> None:
        self._native = native
        native.speed, native.looping = speed, looping
        if span is not None:
            native.set_span(*span)
        native.set_untracked(untracked)

    @property
    def state(self) -> str:
        """``stopped``, ``playing`` or ``paused``."""
        return self._native.state

    @property
    def time(self) -> float:
        """Where it is, in seconds from the start of the recording."""
        return self._native.time

    @property
    def span(self) -> tuple[float, float]:
        """From when to when it plays."""
        return self._native.span

    @property
    def speed(self) -> float:
        """How many seconds of the recording pass in one second."""
        return self._native.speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._native.speed = speed

    @property
    def looping(self) -> bool:
        """Whether it begins again at the end."""
        return self._native.looping

    @looping.setter
    def looping(self, looping: bool) -> None:
        self._native.looping = looping

    def play(self) -> None:
        """Begins to play, or goes on after a pause."""
        self._native.play()

    def pause(self) -> None:
        """Stays where it is until told to play."""
        self._native.pause()

    def stop(self) -> None:
        """Stops and goes back to the start."""
        self._native.stop()

    def seek(self, time: float) -> None:
        """Goes to a time of the recording, playing or not."""
        self._native.seek(time)

    def advance(self, seconds: float) -> list[Event]:
        """Lets time pass, and says what happened since the last time it was asked."""
        return [_event(entry) for entry in json.loads(self._native.advance(seconds))]

    def frame(self) -> dict[str, Any]:
        """Everything, now."""
        return self._native.frame()


@dataclass(frozen=True)
class RecorderStatus:
    """How a recorder is getting on."""

    frames: int
    """Frames that were accepted."""
    markers: int
    """Markers that were set."""
    duration: float
    """How long the recording would be now, in seconds."""
    last_time: float | None
    """The time of the last frame, on the clock of the frames."""
    over_rate: int
    """Frames left out because they came faster than the highest rate."""
    out_of_order: int
    """Frames left out because they were not after the one before."""
    not_finite: int
    """Poses and rays left out because they had numbers that are none."""


class Recorder:
    """Makes a recording of frames as they come: dictionaries, as :meth:`Recording.frame` gives them.

    With a path it keeps a journal beside it, so that nothing but the last frame is lost if the process is killed
    (:func:`holotape.recover` brings it back), and a ``with`` block that ends well saves the recording there:

    >>> import holotape
    >>> head = {"position": [0, 1.6, 0], "rotation": [0, 0, 0, 1]}
    >>> with holotape.Recorder("walk.bin") as recorder:
    ...     for n in range(90):
    ...         pushed = recorder.push({"time": 7 + n / 60, "camera": head})
    ...     recorder.marker(7.5, "half way")
    >>> holotape.open("walk.bin").markers
    [Marker(time=0.5, name='half way')]
    """

    __slots__ = ("_native", "_path")

    def __init__(
        self,
        path: PathLike | None = None,
        *,
        max_rate: float | None = 60.0,
        rolling: float | None = None,
        channels: Iterable[str] = ("camera", "hands", "gaze"),
        gaze_fallback: bool = True,
        journal: bool = True,
    ) -> None:
        wanted = set(channels)
        if not wanted <= {"camera", "hands", "gaze"}:
            raise ValueError(f"channels are camera, hands and gaze, not {', '.join(sorted(wanted))}")
        self._path = path
        self._native = _holotape.Recorder(
            max_rate,
            rolling,
            ("camera" in wanted, "hands" in wanted, "gaze" in wanted),
            gaze_fallback,
            _holotape.journal_path(path) if path is not None and journal else None,
        )

    def push(self, frame: Mapping[str, Any]) -> bool:
        """Takes a frame; false if it was left out, because it came too soon or is not after the one before."""
        return self._native.push(frame) == "accepted"

    def marker(self, time: float, name: str) -> None:
        """Sets a marker, at a time on the clock of the frames."""
        self._native.marker(time, name)

    @property
    def status(self) -> RecorderStatus:
        """How it is going."""
        return RecorderStatus(*self._native.status())

    def stop(self) -> Recording:
        """Ends the recording and gives it. A journal stays until it is saved."""
        from holotape._recording import Recording

        return Recording(self._native.stop())

    def save(self, path: PathLike | None = None) -> list[Loss]:
        """Ends the recording, saves it as an input animation, and then removes the journal."""
        target = path if path is not None else self._path
        if target is None:
            raise ValueError("there is no path to save the recording at")
        return told(self._native.save(target))

    def discard(self) -> None:
        """Ends the recording and forgets it, its journal too."""
        self._native.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error_type is None and self._path is not None:
            self.save()
