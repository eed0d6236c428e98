"""LeRobot datasets."""

from __future__ import annotations

import json
from pathlib import Path

import holotape
import numpy as np
import pandas as pd
import pytest
from holotape import _holotape


def test_frames_are_those_of_samples(study: Path, tmp_path: Path) -> None:
    report = holotape.build_lerobot(study, tmp_path / "out", fps=20, space="unity", tasks_from="folders", progress=False)
    assert report["episode_count"] == 11
    assert [broken["recording"] for broken in report["broken"]] == ["p04/take2.bin"]
    frames = pd.read_parquet(tmp_path / "out/data")
    assert len(frames) == report["frame_count"]
    first = frames[frames["episode_index"] == 0]
    samples = holotape.open(study / "p01/take0.bin").sample(rate=20)
    wrist = samples.right.joints[:, holotape.Joint.Wrist, :3]
    state = np.stack(list(first["observation.state"]))
    tracked = first["observation.right_tracked"].to_numpy() == 1
    assert tracked.any()
    np.testing.assert_array_equal(state[tracked, 8:11], wrist[tracked])
    np.testing.assert_array_equal(np.stack(list(first["action"]))[:-1], state[1:])
    tasks = pd.read_parquet(tmp_path / "out/meta/tasks.parquet")
    assert (tasks.index.name, list(tasks.index)) == ("task", ["p01", "p02", "p03", "p04"])
    assert holotape.build_lerobot(study, tmp_path / "out", fps=20, space="unity", tasks_from="folders")["read_recording_count"] == 0


def test_options_are_checked(study: Path, tmp_path: Path) -> None:
    with pytest.raises(holotape.InvalidArgumentError, match="features"):
        holotape.build_lerobot(study, tmp_path / "out", features="tiny")  # type: ignore[arg-type]
    with pytest.raises(holotape.InvalidArgumentError, match="frames per second"):
        holotape.build_lerobot(study, tmp_path / "out", fps=0)
    with pytest.raises(ValueError, match="space must be"):
        holotape.build_lerobot(study, tmp_path / "out", space="ros")  # type: ignore[arg-type]


def test_lerobot_build_reports_progress_and_can_be_cancelled(study: Path, tmp_path: Path) -> None:
    def build(out: str, update: object) -> str:
        options = (30, "compact", "none", "reach", None, "right-handed", "human", 100.0, False, 1)
        return _holotape.build_lerobot([study], tmp_path / out, *options, update)  # type: ignore[arg-type]

    reported: list[tuple[int, int]] = []
    report = json.loads(build("out", lambda done, total: reported.append((done, total))))
    assert reported == [(n, 12) for n in range(1, 13)]
    assert report["task_count"] == 1

    def stop(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("other", stop)
    assert not (tmp_path / "other/meta/info.json").exists()
