"""Sampling."""

from __future__ import annotations

import sys
import threading

import holotape
import numpy as np
import pytest
from conftest import TESTDATA


def test_arrays_have_documented_shapes_and_types(recording: holotape.Recording) -> None:
    s = recording.sample(rate=60)
    n = len(s)
    assert n == 721
    shapes = [s.time.shape, s.camera.shape, s.gaze.shape, s.left.joints.shape, s.left.tracked.shape]
    assert shapes == [(n,), (n, 7), (n, 6), (n, 27, 7), (n,)]
    assert s.time.dtype == np.float64
    assert {s.camera.dtype, s.gaze.dtype, s.right.joints.dtype} == {np.dtype(np.float32)}
    assert {s.left.tracked.dtype, s.right.pinching.dtype} == {np.dtype(np.bool_)}
    for array in (s.time, s.camera, s.gaze, s.left.joints, s.left.tracked):
        assert array.flags.c_contiguous
        assert array.flags.writeable


def test_untracked_joints_are_nan(recording: holotape.Recording) -> None:
    hand = recording.sample(rate=60).right
    assert 0 < hand.tracked.sum() < len(hand.tracked)
    palm = hand.joints[:, holotape.Joint.Palm]
    np.testing.assert_array_equal(np.isnan(palm).all(axis=1), ~hand.tracked)
    assert not np.isnan(recording.sample(rate=60, include_untracked=True).right.joints[:, holotape.Joint.Palm]).any()


def test_rotations_have_length_one(recording: holotape.Recording) -> None:
    s = recording.sample(rate=30)
    np.testing.assert_allclose(np.linalg.norm(s.camera[:, 3:], axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(s.gaze[:, 3:], axis=1), 1, atol=1e-6)


def test_many_times_equal_single_times(recording: holotape.Recording) -> None:
    times = np.random.default_rng(1).uniform(-1, 13, 5000)
    together = recording.sample(times)
    for n in (0, 1234, 4999):
        alone = recording.sample(times[n])
        np.testing.assert_array_equal(alone.camera[0], together.camera[n])
        np.testing.assert_array_equal(alone.left.joints[0], together.left.joints[n])
        assert alone.right.pinching[0] == together.right.pinching[n]


@pytest.mark.parametrize("times", [[0, 1], (0.0, 1.0), range(2), np.arange(2, dtype=np.float32), np.arange(4.0)[::2]])
def test_times_are_array_like(recording: holotape.Recording, times: object) -> None:
    assert recording.sample(times).time.shape == (2,)  # type: ignore[call-overload]


def test_invalid_times_and_rates_are_rejected(recording: holotape.Recording) -> None:
    with pytest.raises(TypeError, match="either"):
        recording.sample()  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="either"):
        recording.sample([1.0], rate=60)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="need rate"):
        recording.sample([1.0], start=2)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="dimension"):
        recording.sample([[1.0]])
    for rate in (0, -1, float("nan"), float("inf")):
        with pytest.raises(holotape.InvalidArgumentError, match="invalid rate"):
            recording.sample(rate=rate)
    with pytest.raises(holotape.LimitExceededError, match="too many frames"):
        recording.sample(rate=1e9)
    assert len(recording.sample([])) == 0
    assert recording.sample(rate=10, start=1, end=2).time.tolist() == [1 + n / 10 for n in range(11)]


def test_endless_recording_is_rejected() -> None:
    recording = holotape.open(TESTDATA / "valid/mrtk28_camera_only.bin")
    keys = recording["camera.position.x"].keys.copy()
    keys["time"][-1] = 1e30
    endless = recording.replace(curves={"camera.position.x": keys})
    with pytest.raises(holotape.LimitExceededError):
        endless.sample(rate=60)
    with pytest.raises(holotape.LimitExceededError):
        endless.to_arrow(rate=60)


def test_infinite_times_give_the_ends(recording: holotape.Recording) -> None:
    s = recording.sample([np.nan, -np.inf, np.inf, 1e300])
    np.testing.assert_array_equal(s.camera[2], s.camera[3])
    np.testing.assert_array_equal(s.camera[1], recording.sample([-5.0]).camera[0])


def test_sampling_releases_the_interpreter_lock(recording: holotape.Recording) -> None:
    times = np.linspace(0, 12, 20_000)
    started, ran = threading.Event(), threading.Event()

    def other() -> None:
        started.wait()
        ran.set()

    thread = threading.Thread(target=other)
    interval = sys.getswitchinterval()
    # No thread switches: the other one runs only if sampling releases the lock.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        started.set()
        # On a busy machine, the other thread may not be scheduled while one call runs.
        for _ in range(500):
            recording.sample(times)
            if ran.is_set():
                break
        has_run = ran.is_set()
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    assert has_run


def test_from_frames_restores_the_recording(recording: holotape.Recording) -> None:
    s = recording.sample(recording.frame_times)
    again = holotape.from_frames(
        s.time, camera=s.camera, left=s.left, right=s.right, gaze=s.gaze, markers=recording.markers
    )
    assert again.markers == recording.markers
    diff = holotape.diff(recording, again, tolerance=(1e-5, 1e-3))
    assert diff.within_tolerance, diff.differences
    alone = holotape.from_frames(s.time, right=s.right.joints)
    np.testing.assert_array_equal(alone.sample(s.time).right.tracked, s.right.tracked)
    assert not alone.camera


def test_from_frames_checks_shapes() -> None:
    with pytest.raises(ValueError, match="camera must have the shape"):
        holotape.from_frames([0, 1], camera=np.zeros((3, 7)))
    with pytest.raises(ValueError, match="left must have the shape"):
        holotape.from_frames([0, 1], left=np.zeros((2, 26, 7)))
    hand = holotape.HandSamples(np.zeros((2, 27, 7), np.float32), np.zeros(3, np.bool_), np.zeros(2, np.bool_))
    with pytest.raises(ValueError, match="flags of right"):
        holotape.from_frames([0, 1], right=hand)
    with pytest.warns(holotape.LossWarning, match="not after the one before"):
        late = holotape.from_frames([0, 2, 1], camera=np.tile([0, 1, 0, 0, 0, 0, 1], (3, 1)))
    assert late.losses[0].kind == "unusable"
    assert len(late) == 2
