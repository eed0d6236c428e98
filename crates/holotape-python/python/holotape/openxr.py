"""Records and replays OpenXR applications, through holotape's API layers.

:func:`replay` runs an application that gets head, hands, pinches and gaze of a recording, without a headset::

    run = holotape.openxr.replay("press.bin", ["./my-app", "--test"], step=1 / 60)
    assert run.returncode == 0
    assert "pressed" in run.stdout

:func:`record` runs an application and records it. In tests, the pytest fixtures ``openxr_replay`` and ``openxr_record`` do
the same; see :mod:`holotape.pytest_plugin`. :func:`replay_env` and :func:`record_env` only return the environment variables,
for an application that you start in another way.

The library of the layers, ``libholotape_openxr.so`` or ``holotape_openxr.dll``, is the one that was installed with this
package. A package that was built from source has none: the library is then found in the folder of the program ``holotape`` on
the path. The variable ``HOLOTAPE_OPENXR_LIBRARY`` names another one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from holotape import _holotape
from holotape._command import command_path
from holotape._errors import HolotapeError, InvalidArgumentError
from holotape._functions import open as open_recording
from holotape._functions import recover
from holotape._options import PathLike
from holotape._recording import Recording

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "LayerOptions",
    "OpenXRError",
    "RecordOptions",
    "RecordRunOptions",
    "ReplayOptions",
    "ReplayRunOptions",
    "Run",
    "RunOptions",
    "Space",
    "record",
    "record_env",
    "replay",
    "replay_env",
]

Space = Literal["auto", "stage", "local"]
"""A reference space: that of the floor, that of the first pose of the head, or the one that suits the recording."""

_STARTUP_SECS = 60.0
_SHOWN_LINES = 15


class OpenXRError(HolotapeError):
    """An application could not be recorded, or a recording could not be replayed into it."""

    kind = "openxr"


class LayerOptions(TypedDict, total=False):
    """Options of both layers."""

    space: Space
    """The reference space of the recording, ``auto`` by default: ``stage`` if the runtime has it, and, when replaying,
    if the head starts more than 0.7 m above the origin."""
    env: Mapping[str, str]
    """The environment of the application, by default that of this process. Layers that it enables stay enabled."""
    library: PathLike
    """The library of the layers."""


class ReplayOptions(LayerOptions, total=False):
    """Options of a replay."""

    start: float
    """Where to start, in seconds of the recording."""
    speed: float
    """Seconds of the recording per second of real time."""
    loop: bool
    """Start again at the end."""
    exit_at_end: bool
    """Ask the application to end when the recording ends; true by default."""
    step: float
    """Advance the recording by this many seconds per frame: every run gets the same poses."""


class RecordOptions(LayerOptions, total=False):
    """Options of a recording."""

    max_rate: float
    """Drop frames above this rate, in Hz."""
    markers: PathLike
    """A file or named pipe: each line that is written to it becomes a marker."""
    overwrite: bool
    """Replace an existing recording. By default, the next free name is used."""


class RunOptions(TypedDict, total=False):
    """Options of the application."""

    cwd: PathLike
    """The folder in which it runs."""
    timeout: float | None
    """Seconds after which it is killed, or ``None`` to wait forever. The default is 60 s and the time that the replay
    takes."""


class ReplayRunOptions(ReplayOptions, RunOptions, total=False):
    """Options of :func:`replay`."""

    record: PathLike
    """Also record the replay, to this ``.bin`` file."""


class RecordRunOptions(RecordOptions, RunOptions, total=False):
    """Options of :func:`record`."""


class Run(subprocess.CompletedProcess[str]):
    """An application that has ended: ``args``, ``returncode``, ``stdout`` and ``stderr``, as in :mod:`subprocess`, and
    what was recorded.

    >>> import holotape.openxr
    >>> run = holotape.openxr.Run(["./my-app"], 0, "pressed", "", recordings=[], notes=[])
    >>> run.check_returncode()
    >>> run.stdout
    'pressed'
    """

    recordings: list[Path]
    """The saved recordings, one per OpenXR session of the application."""
    notes: list[str]
    """What was not recorded or is not exact, one sentence each."""

    def __init__(
        self,
        args: list[str],
        returncode: int,
        stdout: str,
        stderr: str,
        *,
        recordings: Sequence[Path],
        notes: Sequence[str],
    ) -> None:
        super().__init__(args, returncode, stdout, stderr)
        self.recordings = list(recordings)
        self.notes = list(notes)

    @property
    def recording(self) -> Recording:
        """The first recording that was saved."""
        if not self.recordings:
            raise OpenXRError("this run was not recorded; pass record=PATH to replay(), or use record()")
        return open_recording(self.recordings[0])


def replay_env(
    recording: PathLike | Recording, folder: PathLike, **options: Unpack[ReplayOptions]
) -> dict[str, str]:
    """Returns the environment of an application into which a recording is replayed: a path in any format, or a
    :class:`holotape.Recording`. The files that the layer needs are written to ``folder``.

    >>> import holotape.openxr, pathlib
    >>> pathlib.Path("libholotape_openxr.so").touch()       # from `cargo build --package holotape-openxr`
    >>> env = holotape.openxr.replay_env(
    ...     holotape.demo(seconds=2), "replay", step=1 / 60, library="libholotape_openxr.so", env={})
    >>> env["XR_ENABLE_API_LAYERS"]
    'XR_APILAYER_HOLOTAPE_replay'
    """
    return _replay_env(_as_recording(recording), Path(folder).absolute(), options)


def _replay_env(recording: Recording, folder: Path, options: ReplayOptions) -> dict[str, str]:
    for name in ("speed", "step"):
        _check_positive(name, options.get(name))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "recording.bin"
    recording.save(file)
    config = {
        "recording": str(file),
        "space": options.get("space", "auto"),
        "start_secs": options.get("start", 0.0),
        "speed": options.get("speed", 1.0),
        "looping": options.get("loop", False),
        "exit_at_end": options.get("exit_at_end", True),
        "step_secs": options.get("step"),
        "report": str(folder / "report.jsonl"),
    }
    return _holotape.openxr_replay_env(json.dumps(config), _library(options), folder / "layers", _env(options))


def record_env(out: PathLike, folder: PathLike, **options: Unpack[RecordOptions]) -> dict[str, str]:
    """Returns the environment of an application that is recorded to ``out``, a ``.bin`` file. The files that the layer
    needs are written to ``folder``.

    To record a replay, pass the environment of the replay as ``env``.
    """
    return _record_env(Path(out).absolute(), Path(folder).absolute(), options)


def _record_env(out: Path, folder: Path, options: RecordOptions) -> dict[str, str]:
    if out.suffix != ".bin":
        raise InvalidArgumentError(f"{out}: unknown extension; use .bin")
    if not out.parent.is_dir():
        raise FileNotFoundError(f"{out.parent}: no such folder")
    _check_positive("max_rate", options.get("max_rate"))
    markers = options.get("markers")
    config = {
        "out": str(out),
        "overwrite": options.get("overwrite", False),
        "space": options.get("space", "auto"),
        "max_rate_hz": options.get("max_rate"),
        "markers": None if markers is None else str(Path(markers).absolute()),
        "report": str(folder / "report.jsonl"),
    }
    return _holotape.openxr_record_env(json.dumps(config), _library(options), folder / "layers", _env(options))


def replay(
    recording: PathLike | Recording, command: Sequence[PathLike], **options: Unpack[ReplayRunOptions]
) -> Run:
    """Runs an application and replays a recording into it. Waits until it ends, and returns its exit code and output.

    The recording is a path in any format, or a :class:`holotape.Recording`, so any edit can be applied before. When it
    ends, the application is asked to end. ``record`` is a path at which the replay is recorded.

    Raises :class:`OpenXRError` if nothing was replayed, with the reason.
    """
    source = _as_recording(recording)
    speed = options.get("speed", 1.0)
    timeout = options.get("timeout", _STARTUP_SECS + source.duration_secs / speed if speed > 0 else None)
    out = options.get("record")
    with tempfile.TemporaryDirectory(prefix="holotape-openxr-") as temporary:
        folder = Path(temporary)
        env = _replay_env(source, folder / "replay", options)
        if out is not None:
            record_options: RecordOptions = {"env": env, "library": _library(options)}
            env = _record_env(Path(out).absolute(), folder / "record", record_options)
        run = _run(command, env, options.get("cwd"), timeout)
        _check_reports(run, env, "replayed", _reports(folder / "replay"), expected="replaying")
        if out is not None:
            _add_recordings(run, env, _reports(folder / "record"))
        return run


def record(out: PathLike, command: Sequence[PathLike], **options: Unpack[RecordRunOptions]) -> Run:
    """Runs an application and records head, hands and gaze to ``out``, a ``.bin`` file; further OpenXR sessions of the
    application to ``out-2.bin`` and so on. Waits until the application ends, without a timeout by default.

    Raises :class:`OpenXRError` if nothing was recorded, with the reason.
    """
    with tempfile.TemporaryDirectory(prefix="holotape-openxr-") as temporary:
        env = _record_env(Path(out).absolute(), Path(temporary), options)
        run = _run(command, env, options.get("cwd"), options.get("timeout"))
        _add_recordings(run, env, _reports(Path(temporary)))
        return run


def _as_recording(recording: PathLike | Recording) -> Recording:
    return recording if isinstance(recording, Recording) else open_recording(recording)


def _check_positive(name: str, value: object) -> None:
    # A comparison with NaN is false.
    if value is not None and not (isinstance(value, (int, float)) and 0 < value < float("inf")):
        raise InvalidArgumentError(f"{name} must be finite and greater than 0, not {value!r}")


def _env(options: LayerOptions) -> dict[str, str]:
    return dict(options.get("env", os.environ))


def _library(options: LayerOptions) -> Path:
    given = options.get("library")
    if given is not None:
        if not Path(given).is_file():
            raise FileNotFoundError(f"{given}: no such file; build it with `cargo build --package holotape-openxr`")
        return Path(given).absolute()
    programs = (command_path(), shutil.which("holotape"))
    return _holotape.openxr_library([Path(program).resolve().parent for program in programs if program])


def _run(command: Sequence[PathLike], env: dict[str, str], cwd: PathLike | None, timeout: float | None) -> Run:
    if isinstance(command, (str, os.PathLike)):
        raise TypeError(f"command must be a list, such as [{os.fspath(command)!r}], not a string")
    args = [os.fspath(part) for part in command]
    # Its own process group: a timeout must also end what the application has started.
    process = subprocess.Popen(
        args,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(process)
        stdout, stderr = process.communicate()
        message = f"{args[0]} did not end within {timeout:g} s and was killed; pass timeout= to wait longer"
        raise OpenXRError(message + _tail(stderr)) from None
    except BaseException:
        _kill(process)
        raise
    return Run(args, process.returncode, stdout, stderr, recordings=[], notes=[])


def _kill(process: subprocess.Popen[str]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _reports(folder: Path) -> list[dict[str, Any]]:
    reports: list[dict[str, Any]] = json.loads(_holotape.openxr_reports(folder / "report.jsonl"))
    return reports


def _check_reports(
    run: Run, env: Mapping[str, str], done: str, reports: list[dict[str, Any]], *, expected: str
) -> None:
    for report in reports:
        if report["report"] == "failed":
            raise OpenXRError(f"nothing was {done}: {report['message']}")
    if not any(report["report"] == expected for report in reports):
        ended = f"exit code {run.returncode}" if run.returncode >= 0 else f"signal {-run.returncode}"
        message = f"nothing was {done}: {run.args[0]} ended ({ended}) without an OpenXR session"
        hint = _missing_runtime(env) or "`holotape openxr doctor` shows loader, runtime and headset"
        raise OpenXRError(f"{message}; {hint}{_tail(run.stderr)}")


def _add_recordings(run: Run, env: Mapping[str, str], reports: list[dict[str, Any]]) -> None:
    _check_reports(run, env, "recorded", reports, expected="started")
    saved = [report for report in reports if report["report"] == "saved"]
    run.notes = [note for report in saved for note in report["notes"]]
    for path in [Path(report["path"]) for report in reports if report["report"] == "started"]:
        if not any(report["path"] == str(path) for report in saved):
            # The application ended without closing its session.
            journal = Path(_holotape.journal_path(path))
            recover(journal).save(path)
            journal.unlink()
            run.notes.append(f"{path.name}: the application did not end its session; recovered from the journal")
        run.recordings.append(path)


def _missing_runtime(env: Mapping[str, str]) -> str | None:
    """Says which file of the OpenXR runtime is missing, if the loader cannot find one."""
    chosen = env.get("XR_RUNTIME_JSON")
    if chosen:
        return None if Path(chosen).is_file() else f"no OpenXR runtime: XR_RUNTIME_JSON names {chosen}, which does not exist"
    if sys.platform == "win32":
        return None
    user = env.get("XDG_CONFIG_HOME") or str(Path(env.get("HOME", "/")) / ".config")
    system = (env.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    folders = [Path(folder) / "openxr/1" for folder in [user, *system, "/usr/local/etc", "/etc"]]
    if any(any(folder.glob("active_runtime*.json")) for folder in folders):
        return None
    return "no OpenXR runtime: XR_RUNTIME_JSON is not set, and there is no openxr/1/active_runtime.json in ~/.config or /etc"


def _tail(stderr: str) -> str:
    lines = stderr.rstrip().splitlines()[-_SHOWN_LINES:]
    return "\nstderr of the application:\n" + "\n".join(f"  {line}" for line in lines) if lines else ""
