"""Compares all files of ``testdata`` with their expected contents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import holotape
import numpy as np
import pytest
from conftest import TESTDATA, valid_pairs

PAIRS = [pytest.param(path, expected, id=name) for name, path, expected in valid_pairs()]
INVALID = json.loads((TESTDATA / "invalid/expected.json").read_text(encoding="utf-8"))
ERRORS = {
    "truncated": holotape.TruncatedError,
    "not-a-recording": holotape.NotARecordingError,
    "unsupported-version": holotape.UnsupportedVersionError,
    "invalid": holotape.InvalidError,
}


def test_test_data_exists() -> None:
    assert len(PAIRS) >= 20
    assert len(INVALID) >= 16


@pytest.mark.parametrize(("path", "expected"), PAIRS)
def test_recording_matches_expected_contents(path: Path, expected: dict[str, Any]) -> None:
    recording = holotape.open(path)
    assert recording.version == ".".join(map(str, expected["version"]))
    assert recording.key_layout == expected["keys"]
    assert recording.marker_list == expected["marker_list"]
    channels = {"camera": bool(recording.camera), "hands": bool(recording.left), "gaze": bool(recording.gaze)}
    assert channels == expected["channels"]
    assert np.float32(recording.duration_secs) == np.float32(expected["duration"])
    assert [marker.name for marker in recording.markers] == [marker["name"] for marker in expected["markers"]]
    times = np.array([marker["time"] for marker in expected["markers"]], dtype=np.float32)
    np.testing.assert_array_equal(np.array([marker.time for marker in recording.markers], dtype=np.float32), times)
    counts = {name: len(curve) for name, curve in recording.curves.items() if len(curve)}
    assert counts == expected["key_counts"]


@pytest.mark.parametrize(("path", "expected"), PAIRS)
def test_curves_evaluate_to_expected_values(path: Path, expected: dict[str, Any]) -> None:
    recording = holotape.open(path)
    times = np.array(expected["times"], dtype=np.float32).astype(np.float64)
    for name, values in expected["values"].items():
        listed = np.array([float(value) for value in values])
        got = recording[name](times)
        assert got.dtype == (np.bool_ if name.endswith(("tracked", "pinching")) else np.float64)
        finite = np.isfinite(listed)
        np.testing.assert_array_equal(got[~finite], listed[~finite], err_msg=name)
        np.testing.assert_allclose(
            got[finite].astype(np.float64), listed[finite], atol=1e-5, rtol=1e-5, err_msg=name
        )


# The rotations of the other files are not quaternions.
ROTATIONS = [pair for pair in PAIRS if pair.id not in ("curves_every_rule", "mrtk27_rotation_w_lost")]


@pytest.mark.parametrize(("path", "expected"), ROTATIONS)
def test_samples_are_normalized_values(path: Path, expected: dict[str, Any]) -> None:
    values = expected["values"]
    samples = holotape.open(path).sample(np.array(expected["times"], dtype=np.float32), include_untracked=True)
    rows = {"camera": samples.camera, "gaze": samples.gaze}
    for hand, sampled in (("left", samples.left), ("right", samples.right)):
        rows |= {f"{hand}.{name}": sampled.joints[:, n] for n, name in enumerate(holotape.JOINTS)}
    compared = 0
    for owner, row in rows.items():
        names = [name for name in values if name.startswith(f"{owner}.") and name.count(".") == owner.count(".") + 2]
        if len(names) != row.shape[1]:
            assert np.isnan(row).all(), owner
            continue
        listed = np.array([values[name] for name in names], dtype=np.float64).T
        listed[:, 3:] /= np.linalg.norm(listed[:, 3:], axis=1, keepdims=True)
        np.testing.assert_allclose(row[:, :3], listed[:, :3], atol=2e-5, rtol=2e-5, err_msg=owner)
        # A rotation has two quaternions, of opposite sign.
        sign = np.sign(np.sum(row[:, 3:] * listed[:, 3:], axis=1, keepdims=True)) if row.shape[1] == 7 else 1
        np.testing.assert_allclose(row[:, 3:] * sign, listed[:, 3:], atol=2e-5, err_msg=owner)
        compared += len(row)
    assert compared or not values


@pytest.mark.parametrize(("path", "expected"), PAIRS)
def test_saved_files_are_byte_identical(path: Path, expected: dict[str, Any]) -> None:
    recording = holotape.open(path)
    assert recording.to_bytes() == path.read_bytes()
    assert recording.save("again.bin") == []
    assert Path("again.bin").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", INVALID)
def test_invalid_file_raises_its_error(name: str) -> None:
    path = TESTDATA / f"invalid/{name}.bin"
    kind = INVALID[name]["error"].replace("_", "-")
    for source in (path, path.read_bytes()):
        with pytest.raises(ERRORS[kind]) as raised:
            holotape.open(source)
        assert type(raised.value) is ERRORS[kind]
        assert raised.value.kind == kind
        assert raised.value.offset is not None
        assert raised.value.location
        assert raised.value.path == (str(path) if source is path else None)
        assert f"byte {raised.value.offset}" in str(raised.value)
