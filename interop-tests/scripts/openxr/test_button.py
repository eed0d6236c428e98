"""Tests of button.py on Monado with the fixtures of the Python package, as a user writes them; see pytest-in-root."""

import holotape
import pytest
from holotape.openxr import OpenXRError

STEP_SECS = 1 / 60
# The right hand pinches once. Its index finger touches the button, whose position is in OpenXR's coordinates.
RECORDING = holotape.open("mrtk28_all.bin")
PINCH_START, PINCH_END = RECORDING.right["pinching"].spans()[0]
X, Y, Z = RECORDING.sample([(PINCH_START + PINCH_END) / 2]).right.joints[0, holotape.Joint.IndexTip, :3]
BUTTON = ["./button.py", "--radius", "0.2", "--at", str(X), str(Y), str(-Z)]
# The application sees a pinch in the frame after.
PRESSED, RELEASED = (int(time / STEP_SECS) + 2 for time in (PINCH_START, PINCH_END))
PRESS = f"frame {PRESSED}: pressed\nframe {RELEASED}: released\n"


def test_pinch_presses_the_button(openxr_replay):
    run = openxr_replay("mrtk28_all.bin", BUTTON, step=STEP_SECS, space="local")
    assert (run.returncode, run.stdout) == (0, PRESS)


def test_mirrored_pinch_presses_the_mirrored_button(openxr_replay):
    button = [*BUTTON[:-3], str(-X), str(Y), str(-Z)]
    run = openxr_replay(RECORDING.mirror(), button, step=STEP_SECS, space="local")
    assert (run.returncode, run.stdout) == (0, PRESS)


def test_part_before_the_pinch_does_not_press_the_button(openxr_replay):
    run = openxr_replay(RECORDING[0.0 : PINCH_START - STEP_SECS], BUTTON, step=STEP_SECS, space="local")
    assert (run.returncode, run.stdout) == (0, "")


def test_replay_is_recorded(openxr_replay, tmp_path):
    run = openxr_replay(RECORDING, BUTTON, space="stage", record=tmp_path / "replayed.bin")
    assert run.recordings == [tmp_path / "replayed.bin"]
    assert not run.notes
    replayed = run.recording
    times = replayed["camera.position.x"].keys["time"]
    times = times[times < RECORDING.duration_secs]
    assert len(times) > 10
    before, after = RECORDING.sample(times), replayed.sample(times)
    assert abs(before.camera[:, :3] - after.camera[:, :3]).max() < 2e-4


def test_device_is_recorded(openxr_record):
    run = openxr_record([*BUTTON, "--frames", "30"])
    assert (run.returncode, run.stdout) == (0, "")
    assert len(run.recording) == 30
    # The simulated headset has no hands.
    assert run.recording.camera and not run.recording.left["tracked"].spans().size


def test_missing_runtime_is_an_error(openxr_replay, monkeypatch):
    monkeypatch.setenv("XR_RUNTIME_JSON", "missing.json")
    with pytest.raises(OpenXRError, match="nothing was replayed: .*missing.json, which does not exist"):
        openxr_replay("mrtk28_all.bin", BUTTON)
