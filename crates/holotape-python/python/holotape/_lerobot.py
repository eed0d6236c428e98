"""LeRobot datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from holotape import _holotape
from holotape._corpus import Inputs, as_paths, run_build
from holotape._options import PathLike, Space


def build_lerobot(
    inputs: Inputs,
    out: PathLike,
    *,
    fps: int = 30,
    features: Literal["full", "compact"] = "full",
    action: Literal["next", "same", "none"] = "next",
    task: str = "move both hands",
    tasks_from: Literal["markers", "folders"] | None = None,
    space: Space = "right-handed",
    robot_type: str = "human",
    file_size: float = 100,
    verify: bool = False,
    jobs: int | None = None,
    progress: bool | None = None,
) -> dict[str, Any]:
    """Builds or updates a LeRobot dataset (version 3.0), as ``holotape dataset lerobot`` does, and returns its report.
    Each recording is an episode. Unreadable recordings do not stop the build; ``broken`` lists them.

    ``fps`` is the number of frames per second. ``features`` has all joints, or wrists and fingertips only. ``action`` is the
    state of the next or of the same frame. ``task`` is the text for frames that have no other task. ``tasks_from`` takes
    tasks from markers or from the names of folders. ``file_size`` is that of data files in MB. ``verify``, ``jobs`` and
    ``progress`` are as in :func:`build_dataset`.

    >>> import holotape
    >>> for seed in range(3):
    ...     _ = holotape.demo(seconds=1, seed=seed).save(f"take{seed}.bin")
    >>> report = holotape.build_lerobot("take?.bin", "lerobot", fps=20, task="reach for the cup")
    >>> report["episode_count"], report["frame_count"], report["broken"]
    (3, 63, [])
    >>> holotape.build_lerobot("take?.bin", "lerobot", fps=20, task="reach for the cup")["read_recording_count"]
    0
    """

    def build(update: Callable[[int, int], None]) -> str:
        return _holotape.build_lerobot(
            as_paths(inputs),
            out,
            fps,
            features,
            action,
            task,
            tasks_from,
            space,
            robot_type,
            file_size,
            verify,
            jobs,
            update,
        )

    return run_build(build, progress)
