"""A program that uses most of the package, for mypy and pyright to look at."""

from __future__ import annotations

from pathlib import Path

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
