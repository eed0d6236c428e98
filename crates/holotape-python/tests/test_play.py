"""Players and recorders."""

from __future__ import annotations

import os
from pathlib import Path

import holotape
import numpy as np
import pytest

HEAD = {"position": (0.0, 1.6, 0.0), "rotation": np.array([0, 0, 0, 1])}


def test_a_recording_plays_to_its_end(take: holotape.Recording) -> None:
    player = take.player(speed=2)
    player.play()
    events = []
    while player.state == "playing":
        events += player.advance(1 / 60)
        assert player.frame()["time"] == player.time
    assert events[0].kind == "started"
    assert events[-1].kind == "ended"
    assert [event.time for event in events] == sorted(event.time for event in events)
    assert [event.marker for event in events if event.kind == "marker"] == [marker.name for marker in take.markers]
    assert {event.hand for event in events if event.kind == "pinch_began"} == {"left", "right"}


def test_a_player_does_as_it_is_told(take: holotape.Recording) -> None:
    player = take.player(span=(1, 3), looping=True)
    assert (player.span, player.looping, player.state) == ((1, 3), True, "stopped")
    player.play()
    player.advance(0.5)
    player.pause()
    player.advance(9)
    assert player.time == pytest.approx(1.5)
    player.seek(2)
    assert [(event.kind, event.from_time) for event in player.advance(0)] == [("sought", pytest.approx(1.5))]
    player.speed, player.looping = 0.5, False
    player.play()
    player.advance(1)
    assert (player.time, player.speed, player.looping) == (pytest.approx(2.5), 0.5, False)
    player.stop()
    assert (player.state, player.time) == ("stopped", 1)


def test_laps_are_counted(take: holotape.Recording) -> None:
    player = take.player(looping=True)
    player.play()
    assert [event.laps for event in player.advance(25) if event.kind == "looped"] == [1, 1]


def test_frames_are_recorded(take: holotape.Recording) -> None:
    recorder = holotape.Recorder(max_rate=None, gaze_fallback=False)
    for time in take.frame_times:
        assert recorder.push(take.frame(time))
    assert recorder.status.frames == len(take)
    again = recorder.stop()
    assert holotape.diff(take.replace(markers=[]), again, tolerance=(1e-4, 0.01)).within_tolerance
    with pytest.raises(RuntimeError, match="stopped"):
        recorder.push(take.frame(0))


def test_frames_that_come_too_soon_are_counted() -> None:
    recorder = holotape.Recorder()
    pushed = [recorder.push({"time": time, "camera": HEAD}) for time in (0, 0.001, 1, 0.5)]
    assert pushed == [True, False, True, False]
    recorder.push({"time": 2, "camera": {**HEAD, "position": (float("nan"), 0, 0)}})
    status = recorder.status
    assert (status.over_rate, status.out_of_order, status.frames) == (1, 1, 3)
    assert status.not_finite >= 1
    assert status.last_time == 2


@pytest.mark.parametrize(
    ("frame", "error", "words"),
    [
        ({}, KeyError, "needs a time"),
        ({"time": 0, "camra": HEAD}, KeyError, "has no .*camra"),
        ({"time": 0, "camera": {"position": [0, 0, 0]}}, ValueError, "rotation has to be 4 numbers"),
        ({"time": 0, "camera": {**HEAD, "position": [0, 0]}}, ValueError, "position has to be 3 numbers"),
        ({"time": 0, "left": {"tracked": True, "joints": {"Elbow": HEAD}}}, KeyError, "Elbow"),
        ({"time": 0, "left": [1]}, TypeError, "left has to be a dictionary"),
        ([1, 2], TypeError, "a frame has to be a dictionary"),
        ({"time": float("nan")}, holotape.InvalidError, "cannot be at"),
    ],
)
def test_frames_that_are_none_are_refused(frame: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        holotape.Recorder().push(frame)  # type: ignore[arg-type]


def test_a_block_that_ends_well_saves() -> None:
    with holotape.Recorder("walk.bin") as recorder:
        recorder.push({"time": 5, "camera": HEAD, "left": {"tracked": True, "joints": {"Wrist": HEAD}}})
        recorder.push({"time": 6, "camera": HEAD, "gaze": None})
        recorder.marker(5.5, "half way")
        assert Path("walk.journal").exists()
    assert not Path("walk.journal").exists()
    walk = holotape.open("walk.bin")
    assert walk.duration == 1
    assert walk.markers == [(0.5, "half way")]
    assert len(walk["left.Wrist.position.x"]) >= 1


def test_a_journal_brings_back_what_was_not_saved() -> None:
    with pytest.raises(ZeroDivisionError), holotape.Recorder("walk.bin", channels=["camera"]) as recorder:
        for n in range(10):
            recorder.push({"time": n, "camera": HEAD})
        1 / 0  # noqa: B018
    del recorder
    assert not Path("walk.bin").exists()
    assert holotape.recover("walk.journal").duration == 9
    with pytest.raises(FileExistsError):
        holotape.Recorder("walk.bin")
    os.remove("walk.journal")


def test_recorders_can_be_given_up() -> None:
    recorder = holotape.Recorder("walk.bin", rolling=1)
    recorder.push({"time": 0, "camera": HEAD})
    recorder.discard()
    assert not list(Path().iterdir())
    with pytest.raises(RuntimeError, match="discarded"):
        recorder.stop()
    with pytest.raises(ValueError, match="channels are"):
        holotape.Recorder(channels=["feet"])
    with pytest.raises(ValueError, match="no path"):
        holotape.Recorder().save()
    with pytest.raises(holotape.InvalidError):
        holotape.Recorder(max_rate=0)
