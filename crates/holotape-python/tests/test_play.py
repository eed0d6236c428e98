"""Playback and recording."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import holotape
import numpy as np
import pytest

HEAD = {"position": (0.0, 1.6, 0.0), "rotation": np.array([0, 0, 0, 1])}


def test_player_plays_to_the_end(recording: holotape.Recording) -> None:
    player = recording.player(speed=2)
    player.play()
    events = []
    while player.state == "playing":
        events += player.advance(1 / 60)
        assert player.frame()["time"] == player.time
    assert events[0].kind == "started"
    assert events[-1].kind == "ended"
    assert [event.time for event in events] == sorted(event.time for event in events)
    assert [event.marker for event in events if event.kind == "marker"] == [marker.name for marker in recording.markers]
    assert {event.hand for event in events if event.kind == "pinch_start"} == {"left", "right"}


def test_player_pauses_seeks_and_stops(recording: holotape.Recording) -> None:
    player = recording.player(span=(1, 3), looping=True)
    assert (player.span, player.looping, player.state) == ((1, 3), True, "stopped")
    player.play()
    player.advance(0.5)
    player.pause()
    player.advance(9)
    assert player.time == pytest.approx(1.5)
    player.seek(2)
    assert [(event.kind, event.from_time) for event in player.advance(0)] == [("seeked", pytest.approx(1.5))]
    player.speed, player.looping = 0.5, False
    player.play()
    player.advance(1)
    assert (player.time, player.speed, player.looping) == (pytest.approx(2.5), 0.5, False)
    player.stop()
    assert (player.state, player.time) == ("stopped", 1)


def test_looped_events_count_laps(recording: holotape.Recording) -> None:
    player = recording.player(looping=True)
    player.play()
    assert [event.lap_count for event in player.advance(25) if event.kind == "looped"] == [1, 1]


def test_recorder_records_frames(recording: holotape.Recording) -> None:
    recorder = holotape.Recorder(max_rate=None, gaze_fallback=False)
    for time in recording.frame_times:
        assert recorder.push(recording.frame(time))
    assert recorder.status.frame_count == len(recording)
    again = recorder.stop()
    assert holotape.diff(recording.replace(markers=[]), again, tolerance=(1e-4, 0.01)).within_tolerance
    with pytest.raises(RuntimeError, match="stopped"):
        recorder.push(recording.frame(0))


def test_dropped_frames_are_counted() -> None:
    recorder = holotape.Recorder()
    pushed = [recorder.push({"time": time, "camera": HEAD}) for time in (0, 0.001, 1, 0.5)]
    assert pushed == [True, False, True, False]
    recorder.push({"time": 2, "camera": {**HEAD, "position": (float("nan"), 0, 0)}})
    status = recorder.status
    assert (status.over_rate, status.out_of_order, status.frame_count) == (1, 1, 3)
    assert status.not_finite >= 1
    assert status.last_time == 2


@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        ({}, KeyError, "missing field time"),
        ({"time": 0, "camra": HEAD}, KeyError, "unknown field .*camra"),
        ({"time": 0, "camera": {"position": [0, 0, 0]}}, ValueError, "rotation must be 4 numbers"),
        ({"time": 0, "camera": {**HEAD, "position": [0, 0]}}, ValueError, "position must be 3 numbers"),
        ({"time": 0, "left": {"tracked": True, "joints": {"Elbow": HEAD}}}, KeyError, "Elbow"),
        ({"time": 0, "left": [1]}, TypeError, "left must be a dictionary"),
        ([1, 2], TypeError, "a frame must be a dictionary"),
        ({"time": float("nan")}, holotape.InvalidArgumentError, "invalid time"),
    ],
)
def test_invalid_frames_are_rejected(frame: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        holotape.Recorder().push(frame)  # type: ignore[arg-type]


def test_with_block_saves_the_recording() -> None:
    with holotape.Recorder("walk.bin") as recorder:
        recorder.push({"time": 5, "camera": HEAD, "left": {"tracked": True, "joints": {"Wrist": HEAD}}})
        recorder.push({"time": 6, "camera": HEAD, "gaze": None})
        recorder.add_marker(5.5, "half way")
        assert Path("walk.journal").exists()
    assert not Path("walk.journal").exists()
    walk = holotape.open("walk.bin")
    assert walk.duration_secs == 1
    assert walk.markers == [(0.5, "half way")]
    assert len(walk["left.Wrist.position.x"]) >= 1


def test_journal_recovers_an_unsaved_recording() -> None:
    with pytest.raises(ZeroDivisionError), holotape.Recorder("walk.bin", channels=["camera"]) as recorder:
        for n in range(10):
            recorder.push({"time": n, "camera": HEAD})
        1 / 0  # noqa: B018
    del recorder
    assert not Path("walk.bin").exists()
    assert holotape.recover("walk.journal").duration_secs == 9
    with pytest.raises(FileExistsError):
        holotape.Recorder("walk.bin")
    os.remove("walk.journal")


def test_recover_reports_dropped_bytes() -> None:
    recorder = holotape.Recorder("walk.bin", channels=["camera"])
    for n in range(10):
        recorder.push({"time": n, "camera": HEAD})
    del recorder
    journal = Path("walk.journal").read_bytes()
    Path("walk.journal").write_bytes(journal[:-3])
    with pytest.warns(holotape.LossWarning, match="dropped the last .* bytes of the journal: incomplete frame"):
        walk = holotape.recover("walk.journal")
    assert walk.duration_secs == 8
    assert [loss.kind for loss in walk.losses] == ["unusable"]
    os.remove("walk.journal")


@pytest.mark.parametrize("method", ["push", "add_marker", "status", "save"])
def test_recorder_releases_the_interpreter_lock(method: str) -> None:
    recorder = holotape.Recorder("walk.bin", max_rate=None)
    actions = {
        "push": lambda n: recorder.push({"time": n, "camera": HEAD}),
        "add_marker": lambda n: recorder.add_marker(n, "here"),
        "status": lambda n: recorder.status,
        "save": lambda n: recorder.save(),
    }
    act = actions[method]
    act(0)
    go, ran = threading.Lock(), []
    go.acquire()
    other = threading.Thread(target=lambda: (go.acquire(), ran.append(True)))
    interval = sys.getswitchinterval()
    # From here on, the other thread runs only while this one waits or releases the lock.
    sys.setswitchinterval(1e6)
    try:
        other.start()
        go.release()
        for n in range(1, 20_000):
            act(n)
            if ran:
                break
        assert ran
    finally:
        sys.setswitchinterval(interval)
        other.join()
        recorder.discard()
        Path("walk.bin").unlink(missing_ok=True)


def test_recorder_can_be_discarded() -> None:
    recorder = holotape.Recorder("walk.bin", keep_last=1)
    recorder.push({"time": 0, "camera": HEAD})
    recorder.discard()
    assert not list(Path().iterdir())
    with pytest.raises(RuntimeError, match="discarded"):
        recorder.stop()
    with pytest.raises(ValueError, match="channels must be"):
        holotape.Recorder(channels=["feet"])
    with pytest.raises(ValueError, match="missing path"):
        holotape.Recorder().save()
    with pytest.raises(holotape.InvalidArgumentError):
        holotape.Recorder(max_rate=0)
