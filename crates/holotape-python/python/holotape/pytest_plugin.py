"""Fixtures for pytest, which finds them by itself once the package is installed.

``openxr_replay`` replays a recording into an OpenXR application::

    def test_button_is_pressed(openxr_replay):
        run = openxr_replay("press.bin", ["./my-app", "--test"], step=1 / 60)
        assert run.returncode == 0
        assert "pressed" in run.stdout

``openxr_record`` records an application::

    def test_hands_are_recorded(openxr_record):
        run = openxr_record(["./my-app", "--test"])
        assert run.recording.duration_secs > 1

Both take the options of :func:`holotape.openxr.replay` and :func:`holotape.openxr.record`. A test fails, and is not skipped,
if the library of the layers, the OpenXR loader or the runtime is missing; the error says which. If a test fails, pytest shows
the output of the application.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from typing_extensions import Unpack

    import holotape
    from holotape._options import PathLike
    from holotape.openxr import RecordRunOptions, ReplayRunOptions, Run

__all__ = ["OpenXRRecord", "OpenXRReplay", "openxr_record", "openxr_replay"]


class OpenXRReplay:
    """The fixture ``openxr_replay``. Call it to replay a recording into an application."""

    def __call__(
        self,
        recording: PathLike | holotape.Recording,
        command: Sequence[PathLike],
        **options: Unpack[ReplayRunOptions],
    ) -> Run:
        """Runs the application with :func:`holotape.openxr.replay`."""
        from holotape.openxr import replay

        return _show(replay(recording, command, **options))


class OpenXRRecord:
    """The fixture ``openxr_record``. Call it to record an application."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self, command: Sequence[PathLike], out: PathLike | None = None, **options: Unpack[RecordRunOptions]
    ) -> Run:
        """Runs the application with :func:`holotape.openxr.record`. Without ``out``, the recording is saved in a
        temporary folder."""
        from holotape.openxr import record

        return _show(record(self._folder / "take.bin" if out is None else out, command, **options))


def _show(run: Run) -> Run:
    # pytest shows both if the test fails.
    print(run.stdout, end="")
    print(run.stderr, end="", file=sys.stderr)
    return run


@pytest.fixture
def openxr_replay() -> OpenXRReplay:
    """Replays recordings into OpenXR applications."""
    return OpenXRReplay()


@pytest.fixture
def openxr_record(tmp_path_factory: pytest.TempPathFactory) -> OpenXRRecord:
    """Records OpenXR applications."""
    return OpenXRRecord(tmp_path_factory.mktemp("openxr"))
