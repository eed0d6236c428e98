"""A program that uses most of the package, for mypy and pyright to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import holotape
import numpy as np
from numpy.typing import NDArray


def pinch_distance(take: holotape.Recording) -> NDArray[np.float32]:
    """How far thumb and index finger are apart, in metres."""
    joints = take.sample(rate=60.0).right.joints
    thumb, index = joints[:, holotape.Joint.ThumbTip, :3], joints[:, holotape.Joint.IndexTip, :3]
    distance: NDArray[np.float32] = np.linalg.norm(thumb - index, axis=1)
    return distance


def study(folder: Path) -> dict[str, float]:
    """The longest path of a head in a folder of recordings."""
    reading = holotape.read_many(folder.glob("*.bin"), errors="skip", progress=False)
    paths = {path.stem: float(take.stats()["head.path_m"]) for path, take in reading}
    for path, error in reading.failed.items():
        print(path, error.kind, error.offset, error.place)
    return paths


def fast_hands(folder: Path) -> list[str]:
    """Takes in which a hand moves fast, by SQL."""
    built: dict[str, Any] = holotape.build_dataset(folder, folder / "dataset", rate=30.0, progress=False)
    tables = holotape.connect(folder / "dataset")
    rows: list[Any] = tables.execute("select take from recordings where right_max_speed_m_per_sec > 2").fetchall()
    frames = holotape.sql("select take, time from frames", [folder], errors="fail").df()
    print(built["takes"], frames.shape, holotape.Corpus(folder).takes)
    return [str(row[0]) for row in rows]


def main() -> None:
    """All the rest."""
    take: holotape.Recording = holotape.open(Path("take.bin"), space="unity")
    part: holotape.Recording = take[1.0:2.5]
    curve: holotape.Curve = take["left.IndexTip.position.x"]
    times: NDArray[np.float32] = curve.keys["time"]
    losses: list[holotape.Loss] = take.save("take.parquet", table="keys", strict=True)
    small, report = part.optimize(joint=(0.002, 0.5))
    keys: int = report.keys_after
    findings: list[holotape.Finding] = holotape.check("take.bin")
    worst: float = holotape.diff(take, small, tolerance=(0.01, 1.0)).poses["camera"].position_m.value
    with holotape.Recorder("walk.bin", max_rate=90.0) as recorder:
        for frame in take:
            recorder.push(frame)
    player = take.player(looping=True)
    kinds = [event.kind for event in player.advance(1.0)]
    print(times, losses, keys, findings, worst, kinds, take.table("frames", rate=30.0).columns)
