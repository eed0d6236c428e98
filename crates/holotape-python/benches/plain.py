"""How much faster the package is than what one writes in an afternoon: a reader with ``struct``, and ``numpy.interp``.

Both open the same file of a minute and give the same arrays at 60 times a second, in one run. Run by
``cargo xtask bench python``.
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
    """Version 1.1 with compact keys and all channels, key by key as the format describes it."""
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


def read_in_runs(path: Path) -> list[Curve]:
    """The same, with all keys of a curve in one call."""
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
    """Camera, left, right and gaze, as :meth:`holotape.Recording.sample` gives them."""

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
    """Opened and sampled without the package."""
    curves = read(path)
    end = max(times[-1] for times, _ in curves if times)
    return sample_plainly(curves, np.arange(int(end * RATE) + 1) / RATE)


def ours(path: Path) -> tuple[Any, ...]:
    """Opened and sampled with it."""
    samples = holotape.open(path).sample(rate=RATE)
    return samples.camera, samples.left.joints, samples.right.joints, samples.gaze


def best_ms(run: Callable[[], object], runs: int) -> float:
    """The fastest of some runs, in milliseconds: what others do on the machine meanwhile is not ours to measure."""
    durations = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        durations.append(time.perf_counter() - start)
    return 1e3 * min(durations)


def assert_same(path: Path) -> None:
    """Both give the same, or the comparison means nothing.

    Of the two quaternions of a rotation either may come. Where neighbouring keys have opposite signs, the plain reader goes
    the long way round, which is wrong and seldom.
    """
    for theirs, mine in zip(plain(path, read_plainly), ours(path), strict=True):
        np.testing.assert_array_equal(np.isnan(theirs), np.isnan(mine))
        differs = np.abs(np.abs(theirs) - np.abs(mine)) > 1e-6
        assert differs.mean() < 1e-4, f"{differs.sum()} of {differs.size} numbers differ"


def main() -> None:
    """Measures a recording as a device gives it, and one after key reduction."""
    take = holotape.demo(seconds=SECONDS)
    print(f"{SECONDS:.0f} s at {RATE:.0f} Hz        package     key by key    times    curve by curve    times")
    with tempfile.TemporaryDirectory() as folder:
        for name, recording in (("every frame", take), ("key reduction", take.optimize()[0])):
            path = Path(folder) / "take.bin"
            recording.save(path)
            assert_same(path)
            package = best_ms(lambda path=path: ours(path), 5 * RUNS)
            keys = best_ms(lambda path=path: plain(path, read_plainly), RUNS)
            runs = best_ms(lambda path=path: plain(path, read_in_runs), RUNS)
            print(
                f"{name:<16} {package:8.2f} ms    {keys:7.1f} ms   {keys / package:5.0f}"
                f"        {runs:7.1f} ms    {runs / package:5.0f}"
            )


if __name__ == "__main__":
    main()
