"""Recordings feel like Python."""

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


def test_opens_paths_bytes_and_files(take: holotape.Recording) -> None:
    data = take.to_bytes()
    path = Path("take.bin")
    path.write_bytes(data)
    with path.open("rb") as file:
        sources = [path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), file]
        assert all(holotape.open(source) == take for source in sources)


@pytest.mark.parametrize("source", [12, None, ["take.bin"], io.StringIO("text")])
def test_opens_nothing_else(source: object) -> None:
    with pytest.raises(TypeError):
        holotape.open(source)  # type: ignore[arg-type]


def test_keys_are_views_that_keep_the_recording(take: holotape.Recording) -> None:
    keys = holotape.open(take.to_bytes())["camera.position.y"].keys
    gc.collect()
    assert keys.dtype == holotape.KEY
    expected = take["camera.position.y"]
    np.testing.assert_array_equal(keys["value"], expected(keys["time"]).astype(np.float32))
    first, second = (take["camera.position.y"].keys for _ in range(2))
    assert np.shares_memory(first, second)
    with pytest.raises(ValueError, match="read-only"):
        keys["value"] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        keys.flags.writeable = True


def test_bezier_keys_have_tangents() -> None:
    curve = holotape.open(TESTDATA / "valid/curves_every_rule.bin")["camera.position.x"]
    assert curve.keys.dtype == holotape.BEZIER_KEY
    assert np.any(curve.keys["in_tangent"] != 0)


def test_a_curve_without_keys_is_empty() -> None:
    take = holotape.open(TESTDATA / "valid/mrtk28_right_hand_markers.bin")
    empty = next(curve for curve in take.curves.values() if len(curve) == 0)
    assert empty.keys.shape == (0,)
    assert empty.keys.dtype == holotape.KEY
    assert np.isnan(empty([0.0, 1.0])).all()


def test_curves_are_a_mapping(take: holotape.Recording) -> None:
    assert list(take.camera) == [f"position.{axis}" for axis in "xyz"] + [f"rotation.{axis}" for axis in "xyzw"]
    assert take.left["tracked"].spans().shape[1] == 2
    assert take["left.Palm.position.x"].name == "left.Palm.position.x"
    assert len(take.left.part("IndexTip")) == 7
    for name in ("left.Elbow.position.x", "nothing", ""):
        with pytest.raises(KeyError):
            take[name]
    with pytest.raises(KeyError):
        take.left.part("Elbow")
    with pytest.raises(TypeError, match="flags"):
        take["camera.position.x"].spans()


def test_an_absent_channel_is_empty() -> None:
    take = holotape.open(TESTDATA / "valid/mrtk28_camera_only.bin")
    assert take.camera
    assert not take.left
    assert not take.gaze
    samples = take.sample([0.5])
    assert np.isnan(samples.left.joints).all()
    assert not samples.left.tracked.any()


def test_slices_are_parts(take: holotape.Recording) -> None:
    part = take[1.0:2.5]
    assert part.duration == pytest.approx(1.5)
    np.testing.assert_allclose(part.sample([0.5]).camera, take.sample([1.5]).camera, atol=1e-5)
    assert take[:2].duration == 2
    assert take[11:].duration == pytest.approx(take.duration - 11)
    whole = holotape.concat([take[:5], take[5:]])
    assert len(whole.markers) == len(take.markers)
    with pytest.raises(ValueError, match="resample"):
        take[0:1:2]
    with pytest.raises(TypeError):
        take[3]  # type: ignore[call-overload]
    with pytest.raises(holotape.InvalidError):
        take[99:]


def test_length_is_that_of_the_frames(take: holotape.Recording) -> None:
    assert len(take) == len(take.frame_times) == len(take.table()) == sum(1 for _ in take)


def test_equality_is_of_contents(take: holotape.Recording) -> None:
    assert take == holotape.demo()
    assert take != holotape.demo(seed=2)
    assert take != "a recording"
    with pytest.raises(TypeError):
        hash(take)


def test_recordings_are_pickled() -> None:
    odd = holotape.demo(seconds=1).replace(version="1.0")
    sources = [odd, *(holotape.open(path) for _, path, _ in valid_pairs())]
    for take in sources:
        assert pickle.loads(pickle.dumps(take)) == take
    assert copy.deepcopy(odd) == odd


def test_replace_changes_what_it_is_told(take: holotape.Recording) -> None:
    keys = take["camera.position.y"].keys.copy()
    keys["value"] += 1
    other = take.replace(
        curves={"camera.position.y": keys}, markers=[(1.5, "here")], version="1.0", marker_list=False
    )
    np.testing.assert_allclose(other["camera.position.y"]([2.0]), take["camera.position.y"]([2.0]) + 1, rtol=1e-6)
    assert other.markers == [(1.5, "here")]
    assert (other.version, other.key_layout, other.marker_list) == ("1.0", "full", False)
    assert take.replace() == take
    with pytest.raises(TypeError, match="structured"):
        take.replace(curves={"camera.position.y": [1, 2, 3]})
    with pytest.raises(KeyError):
        take.replace(curves={"camera.position.q": keys})
    with pytest.raises(holotape.InvalidError, match="full keys"):
        take.replace(version="1.0", key_layout="compact")


def test_bezier_keys_are_replaced() -> None:
    take = holotape.open(TESTDATA / "valid/curves_every_rule.bin")
    changed = {name: curve.keys.copy() for name, curve in take.camera.items()}
    again = take.replace(curves={f"camera.{name}": keys for name, keys in changed.items()})
    assert again == take


def test_a_recording_shows_itself(take: holotape.Recording) -> None:
    assert repr(take) == "<Recording: 12.000 s, 721 frames, camera, hands, gaze, 14 markers>"
    html = take.replace(markers=[(1, "<script>")])._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert html.count("<svg") == 2
    assert "<svg" not in holotape.open(TESTDATA / "valid/mrtk28_no_channels.bin")._repr_html_()


def test_frames_are_dictionaries(take: holotape.Recording) -> None:
    frame = take.frame(1.0)
    assert frame["camera"]["position"] == pytest.approx(take.sample([1.0]).camera[0, :3].tolist())
    assert set(frame["right"]["joints"]) < set(holotape.JOINTS)
    assert "joints" not in take.frame(7.0)["right"]
    assert "joints" in take.frame(7.0, untracked=True)["right"]
