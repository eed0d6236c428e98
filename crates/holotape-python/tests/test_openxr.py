"""OpenXR applications, without a runtime: a Python program does what the layers do in an application. Tests with a
runtime are in ``interop-tests``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import holotape
import pytest
from holotape import openxr
from holotape.pytest_plugin import OpenXRRecord, OpenXRReplay

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def _library(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in place of the library, which no loader loads here."""
    library = Path("library.so").absolute()
    library.touch()
    monkeypatch.setenv("HOLOTAPE_OPENXR_LIBRARY", str(library))
    for variable in ("XR_API_LAYER_PATH", "XR_ENABLE_API_LAYERS", "XR_RUNTIME_JSON"):
        monkeypatch.delenv(variable, raising=False)
    return library


def application(body: str, *, replays: bool = False, records: bool = False) -> list[str]:
    """A program that reports what the layers report when an application has a session, then runs ``body``."""
    start = """
        import json, os, sys
        config = {name: json.loads(os.environ.get("HOLOTAPE_OPENXR_" + name.upper(), "{}")) for name in ("replay", "record")}
        def report(layer, **line):
            with open(config[layer]["report"], "a") as file:
                file.write(json.dumps(line) + "\\n")
    """
    lines = [textwrap.dedent(start)]
    if replays:
        lines.append('report("replay", report="replaying", duration_secs=2.0, space="STAGE")')
    if records:
        lines.append('report("record", report="started", path=config["record"]["out"])')
    return [sys.executable, "-c", "\n".join([*lines, textwrap.dedent(body)])]


def test_replay_environment_enables_the_layer(_library: Path) -> None:
    env = openxr.replay_env(holotape.demo(seconds=2), "files", step=0.25, start=1.0, space="local", env={"HOME": "/home/me"})
    assert env["HOME"] == "/home/me"
    assert env["XR_ENABLE_API_LAYERS"] == "XR_APILAYER_HOLOTAPE_replay"
    folder, *others = env["XR_API_LAYER_PATH"].split(os.pathsep)
    manifest = json.loads((Path(folder) / "XR_APILAYER_HOLOTAPE_replay.json").read_text())
    assert manifest["api_layer"]["library_path"] == str(_library)
    assert "/home/me/.local/share/openxr/1/api_layers/explicit.d" in others
    config = json.loads(env["HOLOTAPE_OPENXR_REPLAY"])
    assert (config["step_secs"], config["start_secs"], config["space"]) == (0.25, 1.0, "local")
    assert config["exit_at_end"] and not config["looping"]
    assert holotape.open(config["recording"]).duration_secs == 2.0


def test_recorder_is_above_the_replayer_and_other_layers_stay() -> None:
    others = {"XR_ENABLE_API_LAYERS": "XR_APILAYER_A", "XR_API_LAYER_PATH": "/others"}
    replayed = openxr.replay_env(holotape.demo(seconds=1), "replay", env=others)
    env = openxr.record_env("take.bin", "record", env=replayed, max_rate=30.0, markers="markers")
    layers = ["XR_APILAYER_HOLOTAPE_record", "XR_APILAYER_A", "XR_APILAYER_HOLOTAPE_replay"]
    assert env["XR_ENABLE_API_LAYERS"].split(os.pathsep) == layers
    assert env["XR_API_LAYER_PATH"].split(os.pathsep)[-1] == "/others"
    config = json.loads(env["HOLOTAPE_OPENXR_RECORD"])
    assert config["out"] == str(Path("take.bin").absolute())
    assert (config["max_rate_hz"], config["markers"]) == (30.0, str(Path("markers").absolute()))


def test_environment_is_that_of_this_process_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEVEL", "3")
    assert openxr.record_env("take.bin", "files")["LEVEL"] == "3"


def test_run_has_the_output_of_the_application() -> None:
    program = application('print("pressed"); print("noise", file=sys.stderr); sys.exit(3)', replays=True)
    run = openxr.replay(holotape.demo(seconds=2), program)
    assert (run.returncode, run.stdout, run.stderr) == (3, "pressed\n", "noise\n")
    assert run.args == program
    with pytest.raises(subprocess.CalledProcessError, match="exit status 3"):
        run.check_returncode()
    with pytest.raises(openxr.OpenXRError, match="record=PATH"):
        _ = run.recording


def test_any_format_is_replayed() -> None:
    holotape.demo(seconds=2).save("press.json")
    run = openxr.replay("press.json", application('print(config["replay"]["recording"])', replays=True))
    assert run.stdout.strip().endswith(".bin")


def test_application_runs_in_its_folder() -> None:
    Path("elsewhere").mkdir()
    run = openxr.replay(holotape.demo(seconds=1), application("print(os.getcwd())", replays=True), cwd="elsewhere")
    assert Path(run.stdout.strip()).name == "elsewhere"


SAVE = """
    import shutil
    shutil.copy("source.bin", config["record"]["out"])
    report("record", report="saved", path=config["record"]["out"], frames=61, duration_secs=1.0, space="STAGE",
           gaze="head", notes=["controllers are not recorded"])
"""


def test_recording_of_a_run_is_opened() -> None:
    holotape.demo(seconds=1).save("source.bin")
    run = openxr.record("take.bin", application(SAVE, records=True))
    assert run.recordings == [Path("take.bin").absolute()]
    assert run.recording.duration_secs == 1.0
    assert run.notes == ["controllers are not recorded"]


def test_replay_is_recorded() -> None:
    holotape.demo(seconds=1).save("source.bin")
    run = openxr.replay("source.bin", application(SAVE, replays=True, records=True), record="replayed.bin")
    assert run.recording == holotape.open("source.bin")


def test_take_of_a_killed_application_is_recovered() -> None:
    recorder = holotape.Recorder("take.bin")
    for n in range(10):
        recorder.push({"time": n / 60, "camera": {"position": [0, 1.6, 0], "rotation": [0, 0, 0, 1]}})
    del recorder
    run = openxr.record("take.bin", application("os.kill(os.getpid(), 9)", records=True))
    assert run.returncode == -9
    assert len(run.recording) == 10
    assert "recovered from the journal" in run.notes[0]
    assert not Path("take.journal").exists()


def test_failure_of_a_layer_is_an_error() -> None:
    body = 'report("replay", report="failed", message="recording.bin: no frames")'
    with pytest.raises(openxr.OpenXRError, match=r"nothing was replayed: recording\.bin: no frames"):
        openxr.replay(holotape.demo(seconds=1), application(body))


def test_application_without_a_session_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    program = application('sys.exit("libopenxr_loader.so.1: cannot open shared object file")')
    monkeypatch.setenv("XR_RUNTIME_JSON", "nowhere.json")
    with pytest.raises(openxr.OpenXRError) as raised:
        openxr.replay(holotape.demo(seconds=1), program)
    message = str(raised.value)
    assert "nothing was replayed" in message and "(exit code 1) without an OpenXR session" in message
    assert "XR_RUNTIME_JSON names nowhere.json, which does not exist" in message
    assert "  libopenxr_loader.so.1: cannot open shared object file" in message
    Path("runtime.json").touch()
    monkeypatch.setenv("XR_RUNTIME_JSON", "runtime.json")
    with pytest.raises(openxr.OpenXRError, match=r"nothing was recorded: .*holotape openxr doctor"):
        openxr.record("take.bin", program)


def test_missing_runtime_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    env = {"HOME": os.getcwd(), "XDG_CONFIG_DIRS": os.getcwd()}
    if any(Path(folder).glob("openxr/1/active_runtime*.json") for folder in ("/etc", "/usr/local/etc")):
        monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    with pytest.raises(openxr.OpenXRError, match="XR_RUNTIME_JSON is not set, and there is no"):
        openxr.replay(holotape.demo(seconds=1), application(""), env=env)


def test_application_that_does_not_end_is_killed_with_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    communicate = subprocess.Popen.communicate

    def expire_once_it_waits(process: subprocess.Popen[str], *, timeout: float | None = None) -> tuple[str, str]:
        if timeout is None:
            return communicate(process)
        while not Path("waits").exists():
            assert process.poll() is None
            time.sleep(0.01)
        raise subprocess.TimeoutExpired(process.args, timeout)

    monkeypatch.setattr(subprocess.Popen, "communicate", expire_once_it_waits)
    body = """
        import subprocess
        print("waiting", file=sys.stderr, flush=True)
        open("waits", "w").close()
        subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])
    """
    with pytest.raises(openxr.OpenXRError, match=r"did not end within 2 s and was killed(.|\n)*  waiting"):
        openxr.replay(holotape.demo(seconds=1), application(body, replays=True), timeout=2.0)


def test_missing_library_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.so: no such file; build it"):
        openxr.record_env("take.bin", "files", library="nowhere.so")
    monkeypatch.setenv("HOLOTAPE_OPENXR_LIBRARY", "missing.so")
    with pytest.raises(FileNotFoundError, match=r"missing\.so: no such file; build it .* HOLOTAPE_OPENXR_LIBRARY"):
        openxr.record_env("take.bin", "files")


def test_library_is_beside_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    name = {"win32": "holotape_openxr.dll", "darwin": "libholotape_openxr.dylib"}.get(sys.platform, "libholotape_openxr.so")
    Path("bin").mkdir()
    for path in (Path("bin") / name, Path("bin/holotape")):
        path.touch(mode=0o755)
    monkeypatch.delenv("HOLOTAPE_OPENXR_LIBRARY")
    monkeypatch.setenv("PATH", str(Path("bin").absolute()))
    env = openxr.record_env("take.bin", "files")
    manifest = Path(env["XR_API_LAYER_PATH"].split(os.pathsep)[0]) / "XR_APILAYER_HOLOTAPE_record.json"
    assert json.loads(manifest.read_text())["api_layer"]["library_path"] == str((Path("bin") / name).absolute())


@pytest.mark.parametrize("options", [{"step": 0.0}, {"speed": -1.0}, {"step": float("nan")}, {"space": "room"}])
def test_invalid_options_are_rejected(options: openxr.ReplayOptions) -> None:
    with pytest.raises(holotape.InvalidArgumentError):
        openxr.replay_env(holotape.demo(seconds=1), "files", **options)


def test_invalid_outputs_and_commands_are_rejected() -> None:
    with pytest.raises(holotape.InvalidArgumentError, match=r"take\.json: unknown extension; use \.bin"):
        openxr.record_env("take.json", "files")
    with pytest.raises(FileNotFoundError, match="missing: no such folder"):
        openxr.record_env("missing/take.bin", "files")
    with pytest.raises(FileNotFoundError, match=r"press\.bin"):
        openxr.replay("press.bin", ["./app"])
    with pytest.raises(TypeError, match="command must be a list"):
        openxr.replay(holotape.demo(seconds=1), "./app")
    with pytest.raises(FileNotFoundError, match="./app"):
        openxr.replay(holotape.demo(seconds=1), ["./app"])


def test_fixtures_show_the_output(
    openxr_replay: OpenXRReplay, openxr_record: OpenXRRecord, capfd: pytest.CaptureFixture[str]
) -> None:
    holotape.demo(seconds=1).save("source.bin")
    assert openxr_replay("source.bin", application('print("pressed")', replays=True)).returncode == 0
    assert openxr_record(application(SAVE, records=True)).recording.duration_secs == 1.0
    assert capfd.readouterr().out == "pressed\n"


def test_plugin_is_installed_and_missing_parts_fail_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import holotape

        def test_button(openxr_replay):
            openxr_replay(holotape.demo(seconds=1), ["true"])
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*OpenXRError: nothing was replayed: true ended (exit code 0)*"])
