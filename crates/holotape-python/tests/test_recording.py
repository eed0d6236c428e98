"""Python protocols of recordings and curves."""

from __future__ import annotations

import copy
import gc
import io
import pickle
from pathlib import Path

import holotape
import numpy as np
import pytest
from conftest import TESTDATA, valid_pairs


def test_open_accepts_paths_bytes_and_files(recording: holotape.Recording) -> None:
    data = recording.to_bytes()
    path = Path("take.bin")
    path.write_bytes(data)
    with path.open("rb") as file:
        sources = [path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), file]
        assert all(holotape.open(source) == recording for source in sources)


@pytest.mark.parametrize("source", [12, None, ["take.bin"], io.StringIO("text")])
def test_open_rejects_other_types(source: object) -> None:
    with pytest.raises(TypeError):
        holotape.open(source)  # type: ignore[arg-type]


def test_keys_are_views_that_keep_the_recording_alive(recording: holotape.Recording) -> None:
    keys = holotape.open(recording.to_bytes())["camera.position.y"].keys
    gc.collect()
    assert keys.dtype == holotape.KEY
    expected = recording["camera.position.y"]
    np.testing.assert_array_equal(keys["value"], expected(keys["time"]).astype(np.float32))
    first, second = (recording["camera.position.y"].keys for _ in range(2))
    assert np.shares_memory(first, second)
    with pytest.raises(ValueError, match="read-only"):
        keys["value"] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        keys.flags.writeable = True


def test_bezier_keys_have_tangents() -> None:
    curve = holotape.open(TESTDATA / "valid/curves_every_rule.bin")["camera.position.x"]
    assert curve.keys.dtype == holotape.BEZIER_KEY
    assert np.any(curve.keys["in_tangent"] != 0)


def test_curve_without_keys_is_empty() -> None:
    recording = holotape.open(TESTDATA / "valid/mrtk28_right_hand_markers.bin")
    empty = next(curve for curve in recording.curves.values() if len(curve) == 0)
    assert empty.keys.shape == (0,)
    assert empty.keys.dtype == holotape.KEY
    assert np.isnan(empty([0.0, 1.0])).all()


def test_curves_are_a_mapping(recording: holotape.Recording) -> None:
    assert list(recording.camera) == [f"position.{axis}" for axis in "xyz"] + [f"rotation.{axis}" for axis in "xyzw"]
    assert recording.left["tracked"].spans().shape[1] == 2
    assert recording["left.Palm.position.x"].name == "left.Palm.position.x"
    assert len(recording.left.part("IndexTip")) == 7
    for name in ("left.Elbow.position.x", "nothing", ""):
        with pytest.raises(KeyError):
            recording[name]
    with pytest.raises(KeyError):
        recording.left.part("Elbow")
    with pytest.raises(TypeError, match="not a flag"):
        recording["camera.position.x"].spans()


def test_absent_channel_is_empty() -> None:
    recording = holotape.open(TESTDATA / "valid/mrtk28_camera_only.bin")
    assert recording.camera
    assert not recording.left
    assert not recording.gaze
    samples = recording.sample([0.5])
    assert np.isnan(samples.left.joints).all()
    assert not samples.left.tracked.any()


def test_slices_are_spans(recording: holotape.Recording) -> None:
    part = recording[1.0:2.5]
    assert part.duration_secs == pytest.approx(1.5)
    np.testing.assert_allclose(part.sample([0.5]).camera, recording.sample([1.5]).camera, atol=1e-5)
    assert recording[:2].duration_secs == 2
    assert recording[11:].duration_secs == pytest.approx(recording.duration_secs - 11)
    whole = holotape.concat([recording[:5], recording[5:]])
    assert len(whole.markers) == len(recording.markers)
    with pytest.raises(ValueError, match="resample"):
        recording[0:1:2]
    with pytest.raises(TypeError):
        recording[3]  # type: ignore[call-overload]
    with pytest.raises(holotape.InvalidError):
        recording[99:]


def test_length_is_the_number_of_frames(recording: holotape.Recording) -> None:
    assert len(recording) == len(recording.frame_times) == len(recording.table()) == sum(1 for _ in recording)


def test_equality_compares_contents(recording: holotape.Recording) -> None:
    assert recording == holotape.demo()
    assert recording != holotape.demo(seed=2)
    assert recording != "a recording"
    assert hash(recording) == hash(holotape.demo())


def test_recordings_can_be_pickled() -> None:
    odd = holotape.demo(seconds=1).replace(version="1.0")
    sources = [odd, *(holotape.open(path) for _, path, _ in valid_pairs())]
    for recording in sources:
        assert pickle.loads(pickle.dumps(recording)) == recording
    assert copy.deepcopy(odd) == odd


def test_replace_changes_curves_markers_and_format(recording: holotape.Recording) -> None:
    keys = recording["camera.position.y"].keys.copy()
    keys["value"] += 1
    other = recording.replace(
        curves={"camera.position.y": keys}, markers=[(1.5, "here")], version="1.0", marker_list=False
    )
    np.testing.assert_allclose(other["camera.position.y"]([2.0]), recording["camera.position.y"]([2.0]) + 1, rtol=1e-6)
    assert other.markers == [(1.5, "here")]
    assert (other.version, other.key_layout, other.marker_list) == ("1.0", "full", False)
    assert recording.replace() == recording
    with pytest.raises(TypeError, match="structured"):
        recording.replace(curves={"camera.position.y": [1, 2, 3]})
    with pytest.raises(KeyError):
        recording.replace(curves={"camera.position.q": keys})
    with pytest.raises(holotape.InvalidError, match="full keys"):
        recording.replace(version="1.0", key_layout="compact")


def test_replace_accepts_bezier_keys() -> None:
    recording = holotape.open(TESTDATA / "valid/curves_every_rule.bin")
    changed = {name: curve.keys.copy() for name, curve in recording.camera.items()}
    again = recording.replace(curves={f"camera.{name}": keys for name, keys in changed.items()})
    assert again == recording


def test_repr_and_html_summarize_the_contents(recording: holotape.Recording) -> None:
    assert repr(recording) == "<Recording: 12.000 s, 721 frames, camera, hands, gaze, 14 markers>"
    html = recording.replace(markers=[(1, "<script>")])._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert html.count("<svg") == 2
    assert "<svg" not in holotape.open(TESTDATA / "valid/mrtk28_no_channels.bin")._repr_html_()


def test_frames_are_dictionaries(recording: holotape.Recording) -> None:
    frame = recording.frame(1.0)
    assert frame["camera"]["position"] == pytest.approx(recording.sample([1.0]).camera[0, :3].tolist())
    assert set(frame["right"]["joints"]) < set(holotape.JOINTS)
    assert "joints" not in recording.frame(7.0)["right"]
    assert "joints" in recording.frame(7.0, include_untracked=True)["right"]


def test_in_finds_curves_by_name(recording: holotape.Recording) -> None:
    assert "camera.position.y" in recording
    assert "camera.position.q" not in recording
    assert recording.frame(0) not in recording
    assert 1 not in recording


def test_recording_with_only_markers_is_true(recording: holotape.Recording) -> None:
    assert recording
    recorder = holotape.Recorder()
    recorder.add_marker(5, "start")
    only_markers = recorder.stop()
    assert len(only_markers) == 0
    assert only_markers
    assert not holotape.Recorder().stop()


def test_equal_recordings_have_equal_hashes(recording: holotape.Recording) -> None:
    copy = pickle.loads(pickle.dumps(recording))
    assert copy is not recording
    assert {recording, copy, recording.mirror().mirror()} == {recording}
    assert len({recording, recording.mirror(), recording[1.0:2.0]}) == 3
