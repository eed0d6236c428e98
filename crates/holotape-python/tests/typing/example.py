"""A program that uses most of the package, for mypy and pyright."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import holotape
import holotape.openxr
import numpy as np
from holotape.pytest_plugin import OpenXRRecord, OpenXRReplay
from numpy.typing import NDArray


def pinch_distance(recording: holotape.Recording) -> NDArray[np.float32]:
    """Returns the distance of thumb and index finger, in metres."""
    joints = recording.sample(rate=60.0).right.joints
    thumb, index = joints[:, holotape.Joint.ThumbTip, :3], joints[:, holotape.Joint.IndexTip, :3]
    distance: NDArray[np.float32] = np.linalg.norm(thumb - index, axis=1)
    return distance


def study(folder: Path) -> dict[str, float]:
    """Returns the head path of each recording in a folder."""
    reader = holotape.read_many(folder.glob("*.bin"), errors="skip", progress=False)
    paths = {path.stem: float(recording.stats()["head_path_m"]) for path, recording in reader}
    for path, error in reader.failed.items():
        print(path, error.kind, error.offset, error.location)
    return paths


def fast_hands(folder: Path) -> list[str]:
    """Returns recordings with fast hands, by SQL."""
    built: dict[str, Any] = holotape.build_dataset(folder, folder / "dataset", rate=30.0, progress=False)
    robots: dict[str, Any] = holotape.build_lerobot(folder, folder / "lerobot", fps=30, tasks_from="markers", progress=False)
    tables = holotape.connect(folder / "dataset")
    rows: list[Any] = tables.execute("select recording from recordings where right_max_speed_m_per_sec > 2").fetchall()
    frames = holotape.sql("select recording, time from frames", [folder], errors="raise").df()
    print(built["recording_count"], robots["episode_count"], frames.shape, holotape.Corpus(folder).recordings)
    return [str(row[0]) for row in rows]


def test_button(openxr_replay: OpenXRReplay, openxr_record: OpenXRRecord) -> None:
    """Tests an OpenXR application."""
    run: holotape.openxr.Run = openxr_replay("press.bin", ["./app", Path("level")], step=1 / 60, record="out.bin")
    code: int = run.returncode
    text: str = run.stdout
    saved: list[Path] = openxr_record(["./app"], max_rate=60.0, timeout=None).recordings
    env: dict[str, str] = holotape.openxr.replay_env(run.recording, "folder", space="stage", loop=True)
    print(code, text, saved, env, holotape.openxr.record("out.bin", ["./app"], cwd=Path()).notes)


def main() -> None:
    """Uses the rest of the package."""
    recording: holotape.Recording = holotape.open(Path("take.bin"), space="unity")
    part: holotape.Recording = recording[1.0:2.5]
    curve: holotape.Curve = recording["left.IndexTip.position.x"]
    times: NDArray[np.float32] = curve.keys["time"]
    losses: list[holotape.Loss] = recording.save("take.parquet", table="keys", strict=True)
    small, report = part.optimize(joint=(0.002, 0.5))
    keys: int = report.keys_after
    findings: list[holotape.Finding] = holotape.check("take.bin")
    max_difference: float = holotape.diff(recording, small, tolerance=(0.01, 1.0)).poses["camera"].position_m.value
    with holotape.Recorder("walk.bin", max_rate=90.0) as recorder:
        for frame in recording:
            recorder.push(frame)
    player = recording.player(looping=True)
    kinds = [event.kind for event in player.advance(1.0)]
    print(times, losses, keys, findings, max_difference, kinds, recording.table("frames", rate=30.0).columns)
