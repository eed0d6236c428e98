"""Edits, checks and statistics."""

from __future__ import annotations

import holotape
import numpy as np
import pytest
from conftest import TESTDATA


def test_edits_return_new_recordings(recording: holotape.Recording) -> None:
    before = recording.to_bytes()
    assert recording.retime(speed=2, shift=1).duration_secs == pytest.approx(7)
    assert len(recording.resample(30)["camera.position.x"]) == 361
    assert recording.mirror().mirror() == recording
    moved = recording.transform(yaw=90, translation=(0, 1, 0))
    x, y, z = recording.sample([3.0]).camera[0, :3]
    np.testing.assert_allclose(moved.sample([3.0]).camera[0, :3], [z, y + 1, -x], atol=1e-5)
    head = recording.head_to_origin().sample([0.0]).camera[0]
    np.testing.assert_allclose(head[:3], 0, atol=1e-6)
    kept = recording.head_to_origin(keep_height=True).sample([0.0]).camera[0]
    assert kept[1] == recording.sample([0.0]).camera[0, 1]
    assert recording.to_bytes() == before


def test_select_keeps_and_without_drops(recording: holotape.Recording) -> None:
    some = recording.select("camera", "right.IndexTip")
    assert some.camera
    assert not some.gaze
    assert len(some["right.IndexTip.position.x"]) > 0
    assert len(some["right.Palm.position.x"]) == 0
    assert not recording.without("gaze").gaze
    with pytest.raises(holotape.InvalidArgumentError, match="Elbow"):
        recording.select("Elbow")


def test_concat_and_merge_combine_recordings(recording: holotape.Recording) -> None:
    other = holotape.demo(seed=2, seconds=3)
    assert holotape.concat([recording, other], gap=0.5).duration_secs == pytest.approx(15.5)
    merged = holotape.merge(camera=recording, hands=other, left=recording, markers=[other])
    assert merged.markers == other.markers
    for name, source in (("camera.position.x", recording), ("left.Palm.position.x", recording), ("right.Palm.position.x", other)):
        np.testing.assert_array_equal(merged[name].keys, source[name].keys)
    assert not merged.gaze
    empty = holotape.from_frames([])
    assert not holotape.merge(hands=recording, left=empty)["left.Palm.position.x"].keys.size
    with pytest.raises(holotape.InvalidArgumentError):
        holotape.concat([])
    with pytest.raises(holotape.InvalidArgumentError):
        holotape.concat([recording, other], gap=-1)


def test_optimize_stays_within_the_tolerance(recording: holotape.Recording) -> None:
    small, report = recording.optimize(joint=(0.002, 0.5))
    assert report.keys_after < report.keys_before / 2
    assert 0 < report.max_rotation_error_deg <= 0.5
    assert report.skipped == {}
    assert holotape.diff(recording, small, tolerance=(0.002, 0.6)).within_tolerance
    bezier = holotape.open(TESTDATA / "valid/curves_every_rule.bin").optimize()[1]
    assert "camera.position" in bezier.skipped


def test_diff_reports_contents_and_motion(recording: holotape.Recording) -> None:
    diff = holotape.diff(recording, recording.without("gaze").transform(translation=(0.1, 0, 0)), tolerance=(0.01, 1))
    assert diff.within_tolerance is False
    assert [str(difference) for difference in diff.differences if difference.aspect == "channels"]
    assert diff.poses["camera"].position_m.value == pytest.approx(0.1, abs=1e-5)
    assert "gaze" not in diff.poses
    same = holotape.diff(recording, recording)
    assert same.within_tolerance is None
    assert same.poses["gaze"].rotation_deg.value == 0


def test_findings_are_repaired() -> None:
    path = TESTDATA / "valid/mrtk27_rotation_w_lost.bin"
    findings = holotape.check(path)
    assert findings[0].code == "rotation-w-lost"
    assert findings[0].severity == "error"
    assert findings[0].advice
    assert holotape.check(holotape.open(path)) == findings
    repaired, report = holotape.open(path).repair()
    assert {entry.code for entry in report.repaired} >= {"rotation-w-lost"}
    assert "rebuilt w" in str(report)
    assert "rotation-w-lost" not in {finding.code for finding in repaired.check()}
    assert not repaired.repair()[1].repaired


def test_truncated_file_is_salvaged(recording: holotape.Recording) -> None:
    data = recording.to_bytes()
    cut = data[: len(data) // 2]
    assert [finding.code for finding in holotape.check(cut)] == ["truncated"]
    salvaged, report = holotape.repair(cut)
    assert report
    assert report.lost
    np.testing.assert_array_equal(salvaged["camera.position.x"].keys, recording["camera.position.x"].keys)
    with pytest.raises(holotape.NotARecordingError):
        holotape.repair(b"GIF89a, not hands at all, nothing to save")


def test_stats_are_a_flat_dictionary(recording: holotape.Recording) -> None:
    stats = recording.stats()
    assert stats["duration_secs"] == 12
    assert stats["right_pinch_count"] == 2
    assert "gaze_fixation_count" in stats
    without_gaze = recording.without("gaze").stats()
    assert not [name for name in without_gaze if name.startswith("gaze")]
    for row in (stats, without_gaze):
        assert all(isinstance(value, (int, float, bool)) for value in row.values())
    with pytest.raises(holotape.InvalidArgumentError):
        recording.stats(path_rate=0)


def test_demo_has_limits() -> None:
    assert holotape.demo(seconds=0).duration_secs == 0
    with pytest.raises(holotape.LimitExceededError):
        holotape.demo(seconds=1e9)
    with pytest.raises(holotape.InvalidArgumentError):
        holotape.demo(rate=0)
