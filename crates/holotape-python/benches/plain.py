"""Compares the package with a plain reader: ``struct`` and ``numpy.interp``.

Both open the same file of 60 s and sample it at 60 Hz, in one run. Run by ``cargo xtask bench python``.
"""

from __future__ import annotations

import struct
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import holotape
import numpy as np

SECONDS, RATE, RUNS = 60.0, 60.0, 15
CURVES = 395
Curve = tuple[list[float], list[float]]


def read_plainly(path: Path) -> list[Curve]:
    """Reads version 1.1 with compact keys and all channels, key by key."""
    data = path.read_bytes()
    at = 8 + 2 * 4 + 3
    curves: list[Curve] = []
    for _ in range(CURVES):
        _, _, count = struct.unpack_from("<iii", data, at)
        at += 12
        times, values = [], []
        for _ in range(count):
            key_time, value = struct.unpack_from("<ff", data, at)
            times.append(key_time)
            values.append(value)
            at += 8
        curves.append((times, values))
    return curves


def read_by_curve(path: Path) -> list[Curve]:
    """Reads the same, with one call per curve."""
    data = path.read_bytes()
    at = 8 + 2 * 4 + 3
    curves: list[Curve] = []
    for _ in range(CURVES):
        _, _, count = struct.unpack_from("<iii", data, at)
        keys = list(struct.iter_unpack("<ff", data[at + 12 : at + 12 + 8 * count]))
        curves.append(([key[0] for key in keys], [key[1] for key in keys]))
        at += 12 + 8 * count
    return curves


def sample_plainly(curves: list[Curve], times: np.ndarray) -> tuple[Any, ...]:
    """Returns camera, left, right and gaze, as :meth:`holotape.Recording.sample` does."""

    def rows(part: list[Curve]) -> np.ndarray:
        values = np.stack([np.interp(times, *curve) for curve in part], axis=-1)
        values[:, 3:] /= np.linalg.norm(values[:, 3:], axis=1, keepdims=True)
        return values

    def flag(curve: Curve) -> np.ndarray:
        before = np.searchsorted(curve[0], times, side="right") - 1
        return np.asarray(curve[1])[np.maximum(before, 0)] > 0.5

    def hand(part: list[Curve], tracked: np.ndarray) -> np.ndarray:
        joints = np.full((len(times), 27, 7), np.nan)
        for joint in range(27):
            pose = part[7 * joint : 7 * joint + 7]
            if all(keys for keys, _ in pose):
                joints[:, joint] = rows(pose)
        joints[~tracked] = np.nan
        return joints

    left_tracked, right_tracked, _, _ = (flag(curve) for curve in curves[7:11])
    left, right = hand(curves[11:200], left_tracked), hand(curves[200:389], right_tracked)
    return rows(curves[:7]), left, right, rows(curves[389:])


def plain(path: Path, read: Callable[[Path], list[Curve]]) -> tuple[Any, ...]:
    """Opens and samples without the package."""
    curves = read(path)
    end = max(times[-1] for times, _ in curves if times)
    return sample_plainly(curves, np.arange(int(end * RATE) + 1) / RATE)


def with_package(path: Path) -> tuple[Any, ...]:
    """Opens and samples with the package."""
    samples = holotape.open(path).sample(rate=RATE)
    return samples.camera, samples.left.joints, samples.right.joints, samples.gaze


def best_ms(run: Callable[[], object], runs: int) -> float:
    """Returns the duration of the fastest run in milliseconds, which other processes disturb least."""
    durations = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        durations.append(time.perf_counter() - start)
    return 1e3 * min(durations)


def assert_same(path: Path) -> None:
    """Checks that both give equal samples.

    Quaternions may have opposite signs. At the rare sign flips between keys, the plain reader interpolates wrongly.
    """
    for expected, actual in zip(plain(path, read_plainly), with_package(path), strict=True):
        np.testing.assert_array_equal(np.isnan(expected), np.isnan(actual))
        differs = np.abs(np.abs(expected) - np.abs(actual)) > 1e-6
        assert differs.mean() < 1e-4, f"{differs.sum()} of {differs.size} numbers differ"


def main() -> None:
    """Measures a recording with a key per frame, and an optimized one."""
    demo = holotape.demo(seconds=SECONDS)
    print(f"{SECONDS:.0f} s at {RATE:.0f} Hz        package     key by key    ratio    curve by curve    ratio")
    with tempfile.TemporaryDirectory() as folder:
        for name, recording in (("key per frame", demo), ("optimized", demo.optimize()[0])):
            path = Path(folder) / "take.bin"
            recording.save(path)
            assert_same(path)
            package = best_ms(lambda path=path: with_package(path), 5 * RUNS)
            keys = best_ms(lambda path=path: plain(path, read_plainly), RUNS)
            runs = best_ms(lambda path=path: plain(path, read_by_curve), RUNS)
            print(
                f"{name:<16} {package:8.2f} ms    {keys:7.1f} ms   {keys / package:5.0f}"
                f"        {runs:7.1f} ms    {runs / package:5.0f}"
            )


if __name__ == "__main__":
    main()
