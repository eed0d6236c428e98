"""Edits, checks and numbers."""

from __future__ import annotations

import holotape
import numpy as np
import pytest
from conftest import TESTDATA


def test_edits_give_new_recordings(take: holotape.Recording) -> None:
    before = take.to_bytes()
    assert take.retime(speed=2, shift=1).duration == pytest.approx(7)
    assert len(take.resample(30)["camera.position.x"]) == 361
    assert take.mirror().mirror() == take
    moved = take.transform(yaw=90, translation=(0, 1, 0))
    x, y, z = take.sample([3.0]).camera[0, :3]
    np.testing.assert_allclose(moved.sample([3.0]).camera[0, :3], [z, y + 1, -x], atol=1e-5)
    head = take.head_to_origin().sample([0.0]).camera[0]
    np.testing.assert_allclose(head[:3], 0, atol=1e-6)
    kept = take.head_to_origin(keep_height=True).sample([0.0]).camera[0]
    assert kept[1] == take.sample([0.0]).camera[0, 1]
    assert take.to_bytes() == before


def test_parts_are_selected(take: holotape.Recording) -> None:
    some = take.select("camera", "right.IndexTip")
    assert some.camera
    assert not some.gaze
    assert len(some["right.IndexTip.position.x"]) > 0
    assert len(some["right.Palm.position.x"]) == 0
    assert not take.without("gaze").gaze
    with pytest.raises(holotape.InvalidError, match="no part"):
        take.select("Elbow")


def test_recordings_are_put_together(take: holotape.Recording) -> None:
    other = holotape.demo(seed=2, seconds=3)
    assert holotape.concat([take, other], gap=0.5).duration == pytest.approx(15.5)
    merged = holotape.merge(camera=take, hands=other, left=take, markers=[other])
    assert merged.markers == other.markers
    for name, source in (("camera.position.x", take), ("left.Palm.position.x", take), ("right.Palm.position.x", other)):
        np.testing.assert_array_equal(merged[name].keys, source[name].keys)
    assert not merged.gaze
    empty = holotape.from_frames([])
    assert not holotape.merge(hands=take, left=empty)["left.Palm.position.x"].keys.size
    with pytest.raises(holotape.InvalidError):
        holotape.concat([])
    with pytest.raises(holotape.InvalidError):
        holotape.concat([take, other], gap=-1)


def test_keys_are_left_out_within_a_bound(take: holotape.Recording) -> None:
    small, report = take.optimize(joint=(0.002, 0.5))
    assert report.keys_after < report.keys_before / 2
    assert 0 < report.max_rotation_error_deg <= 0.5
    assert report.untouched == {}
    assert holotape.diff(take, small, tolerance=(0.002, 0.6)).within_tolerance
    bent = holotape.open(TESTDATA / "valid/curves_every_rule.bin").optimize()[1]
    assert "camera.position" in bent.untouched


def test_differences_are_told(take: holotape.Recording) -> None:
    diff = holotape.diff(take, take.without("gaze").transform(translation=(0.1, 0, 0)), tolerance=(0.01, 1))
    assert diff.within_tolerance is False
    assert [str(difference) for difference in diff.differences if difference.aspect == "channels"]
    assert diff.poses["camera"].position_m.value == pytest.approx(0.1, abs=1e-5)
    assert "gaze" not in diff.poses
    same = holotape.diff(take, take)
    assert same.within_tolerance is None
    assert same.poses["gaze"].angle_deg.value == 0


def test_faults_are_found_and_mended() -> None:
    path = TESTDATA / "valid/mrtk27_rotation_w_lost.bin"
    findings = holotape.check(path)
    assert findings[0].code == "rotation-w-lost"
    assert findings[0].severity == "error"
    assert findings[0].advice
    assert holotape.check(holotape.open(path)) == findings
    mended, report = holotape.open(path).repair()
    assert {entry.code for entry in report.done} >= {"rotation-w-lost"}
    assert "rebuilt w" in str(report)
    assert "rotation-w-lost" not in {finding.code for finding in mended.check()}
    assert not mended.repair()[1].done


def test_a_cut_file_is_saved_as_far_as_it_goes(take: holotape.Recording) -> None:
    data = take.to_bytes()
    cut = data[: len(data) // 2]
    assert [finding.code for finding in holotape.check(cut)] == ["truncated"]
    saved, report = holotape.repair(cut)
    assert report
    assert report.lost
    np.testing.assert_array_equal(saved["camera.position.x"].keys, take["camera.position.x"].keys)
    with pytest.raises(holotape.NotARecordingError):
        holotape.repair(b"GIF89a, not hands at all, nothing to save")


def test_numbers_are_a_flat_row(take: holotape.Recording) -> None:
    stats = take.stats()
    assert stats["duration_secs"] == 12
    assert stats["right.pinches.count"] == 2
    assert "gaze.fixations" in stats
    blind = take.without("gaze").stats()
    assert not [name for name in blind if name.startswith("gaze")]
    for row in (stats, blind):
        assert all(isinstance(value, int | float | bool) for value in row.values())
    with pytest.raises(holotape.InvalidError):
        take.stats(travel_rate=0)


def test_synthetic_motion_has_limits() -> None:
    assert holotape.demo(seconds=0).duration == 0
    with pytest.raises(holotape.LimitExceededError):
        holotape.demo(seconds=1e9)
    with pytest.raises(holotape.InvalidError):
        holotape.demo(rate=0)
