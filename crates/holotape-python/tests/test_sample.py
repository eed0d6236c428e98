"""Recordings at many times."""

from __future__ import annotations

import sys
import threading

import holotape
import numpy as np
import pytest
from conftest import TESTDATA


def test_shapes_and_types_are_as_documented(take: holotape.Recording) -> None:
    s = take.sample(rate=60)
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


def test_what_is_not_tracked_is_nan(take: holotape.Recording) -> None:
    hand = take.sample(rate=60).right
    assert 0 < hand.tracked.sum() < len(hand.tracked)
    palm = hand.joints[:, holotape.Joint.Palm]
    np.testing.assert_array_equal(np.isnan(palm).all(axis=1), ~hand.tracked)
    assert not np.isnan(take.sample(rate=60, untracked=True).right.joints[:, holotape.Joint.Palm]).any()


def test_rotations_have_length_one(take: holotape.Recording) -> None:
    s = take.sample(rate=30)
    np.testing.assert_allclose(np.linalg.norm(s.camera[:, 3:], axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(s.gaze[:, 3:], axis=1), 1, atol=1e-6)


def test_many_times_are_what_each_is(take: holotape.Recording) -> None:
    times = np.random.default_rng(1).uniform(-1, 13, 5000)
    together = take.sample(times)
    for n in (0, 1234, 4999):
        alone = take.sample(times[n])
        np.testing.assert_array_equal(alone.camera[0], together.camera[n])
        np.testing.assert_array_equal(alone.left.joints[0], together.left.joints[n])
        assert alone.right.pinching[0] == together.right.pinching[n]


@pytest.mark.parametrize("times", [[0, 1], (0.0, 1.0), range(2), np.arange(2, dtype=np.float32), np.arange(4.0)[::2]])
def test_times_are_anything_like_an_array(take: holotape.Recording, times: object) -> None:
    assert take.sample(times).time.shape == (2,)  # type: ignore[call-overload]


def test_times_and_rates_have_to_make_sense(take: holotape.Recording) -> None:
    with pytest.raises(TypeError, match="either"):
        take.sample()  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="either"):
        take.sample([1.0], rate=60)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="go with a rate"):
        take.sample([1.0], start=2)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="dimension"):
        take.sample([[1.0]])
    for rate in (0, -1, float("nan"), float("inf")):
        with pytest.raises(holotape.InvalidError, match="no rate"):
            take.sample(rate=rate)
    with pytest.raises(holotape.LimitExceededError, match="GiB"):
        take.sample(rate=1e9)
    assert len(take.sample([])) == 0
    assert take.sample(rate=10, start=1, end=2).time.tolist() == [1 + n / 10 for n in range(11)]


def test_an_endless_recording_does_not_fill_memory() -> None:
    take = holotape.open(TESTDATA / "valid/mrtk28_camera_only.bin")
    keys = take["camera.position.x"].keys.copy()
    keys["time"][-1] = 1e30
    endless = take.replace(curves={"camera.position.x": keys})
    with pytest.raises(holotape.LimitExceededError):
        endless.sample(rate=60)
    with pytest.raises(holotape.LimitExceededError):
        endless.to_arrow(rate=60)


def test_strange_times_give_no_numbers_or_the_ends(take: holotape.Recording) -> None:
    s = take.sample([np.nan, -np.inf, np.inf, 1e300])
    np.testing.assert_array_equal(s.camera[2], s.camera[3])
    np.testing.assert_array_equal(s.camera[1], take.sample([-5.0]).camera[0])


def test_others_run_while_sampling(take: holotape.Recording) -> None:
    times = np.linspace(0, 12, 200_000)
    started, ran = threading.Event(), threading.Event()

    def other() -> None:
        started.wait()
        ran.set()

    thread = threading.Thread(target=other)
    interval = sys.getswitchinterval()
    # Nobody is interrupted: the other thread runs only if sampling lets go of the interpreter.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        started.set()
        take.sample(times)
        has_run = ran.is_set()
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    assert has_run


def test_frames_make_the_recording_again(take: holotape.Recording) -> None:
    s = take.sample(take.frame_times)
    again = holotape.from_frames(
        s.time, camera=s.camera, left=s.left, right=s.right, gaze=s.gaze, markers=take.markers
    )
    assert again.markers == take.markers
    diff = holotape.diff(take, again, tolerance=(1e-5, 1e-3))
    assert diff.within_tolerance, diff.differences
    alone = holotape.from_frames(s.time, right=s.right.joints)
    np.testing.assert_array_equal(alone.sample(s.time).right.tracked, s.right.tracked)
    assert not alone.camera


def test_frames_have_to_fit_together() -> None:
    with pytest.raises(ValueError, match="camera has to have the shape"):
        holotape.from_frames([0, 1], camera=np.zeros((3, 7)))
    with pytest.raises(ValueError, match="left has to have the shape"):
        holotape.from_frames([0, 1], left=np.zeros((2, 26, 7)))
    hand = holotape.HandSamples(np.zeros((2, 27, 7), np.float32), np.zeros(3, np.bool_), np.zeros(2, np.bool_))
    with pytest.raises(ValueError, match="flags of right"):
        holotape.from_frames([0, 1], right=hand)
    with pytest.warns(holotape.LossWarning, match="not after the one before"):
        late = holotape.from_frames([0, 2, 1], camera=np.tile([0, 1, 0, 0, 0, 0, 1], (3, 1)))
    assert late.losses[0].kind == "unusable"
    assert len(late) == 2
