"""Reading and writing of all file formats."""

from __future__ import annotations

import gzip
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import holotape
import pyarrow as pa
import pytest
from conftest import TESTDATA
from holotape import _holotape

WRITABLE = [name for name, _, _, can_write in _holotape.file_formats() if can_write]
ROUND_TRIP = [name for name, _, can_read, can_write in _holotape.file_formats() if can_read and can_write]
NAMES = {"isaac": "take.isaac.mcap", "iwer": "take.iwer.json"}


@pytest.mark.parametrize("file_format", WRITABLE)
def test_extension_and_option_select_the_format(recording: holotape.Recording, file_format: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", holotape.LossWarning)
        by_extension = recording.save(NAMES.get(file_format, f"take.{file_format}"))
        by_option = recording.save("take", to=file_format)  # type: ignore[arg-type]
        data = recording.to_bytes(to=file_format)  # type: ignore[arg-type]
    assert by_extension == by_option
    assert Path("take").read_bytes() == data == Path(NAMES.get(file_format, f"take.{file_format}")).read_bytes()


@pytest.mark.parametrize("file_format", ROUND_TRIP)
def test_formats_round_trip(file_format: str) -> None:
    recording = holotape.demo(seconds=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", holotape.LossWarning)
        again = holotape.open(recording.to_bytes(to=file_format))  # type: ignore[arg-type]
    close = holotape.diff(recording, again).poses["camera"]
    assert close.position_m.value < 1e-5
    assert close.rotation_deg.value < 0.01


def test_hand_captures_are_upgraded() -> None:
    source = TESTDATA / "handsbin/v1_gaps.handsbin"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", holotape.LossWarning)
        recording = holotape.open(source)
        holotape.convert(source, "new.handsbin")
        holotape.convert("new.handsbin", "old.handsbin", handsbin_version=1)
        assert holotape.open("new.handsbin") == holotape.open("old.handsbin") == recording
    assert [Path(name).read_bytes()[0] for name in ("new.handsbin", "old.handsbin")] == [2, 1]
    assert "unsupported" in {loss.kind for loss in recording.losses}
    with pytest.raises(ValueError, match="handsbin_version must be 1 or 2, not 3"):
        recording.save("new.handsbin", handsbin_version=3)  # type: ignore[call-overload,arg-type]
    with pytest.raises(TypeError, match="handsbin_version has no effect on a CSV table"):
        recording.save("take.csv", handsbin_version=1)


@pytest.mark.parametrize(
    "name",
    [
        "import/hl2ss_spatial_input.bin",
        "import/stream_recorder_head_hand_eye.csv",
        "import/psi",
        "import/psi_stereokit",
        "import/holoassist",
        "import/egodex/reach/0.hdf5",
        "import/vision_pro/tracking.jsonl",
        "import/aria_mps",
        "isaac/teleop_monado.mcap",
        "isaac/webxr.json",
    ],
)
def test_recordings_of_other_programs_are_imported(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        recording = holotape.open(TESTDATA / name)
    assert recording.duration_secs > 0
    assert [str(warning.message) for warning in caught] == [loss.message for loss in recording.losses]
    assert pickle.loads(pickle.dumps(recording)).losses == recording.losses


def test_losses_are_returned_and_warned_about(recording: holotape.Recording) -> None:
    with pytest.warns(holotape.LossWarning, match="eye gaze") as caught:
        losses = recording.save("old.bin", version="1.0")
    assert [loss.kind for loss in losses] == ["gaze"]
    assert caught[0].filename == __file__
    assert str(losses[0]) == losses[0].message


def test_strict_writes_nothing_on_losses(recording: holotape.Recording) -> None:
    Path("old.bin").write_bytes(b"before")
    with pytest.raises(holotape.LossError) as raised:
        recording.save("old.bin", version="1.0", strict=True)
    assert raised.value.losses[0].kind == "gaze"
    assert pickle.loads(pickle.dumps(raised.value)).losses == raised.value.losses
    assert Path("old.bin").read_bytes() == b"before"
    assert recording.save("new.bin", strict=True) == []
    with pytest.raises(holotape.LossError):
        recording.to_bytes(to="bvh", strict=True)


def test_strict_includes_losses_of_reading() -> None:
    source = TESTDATA / "import/hl2ss_spatial_input.bin"
    with pytest.raises(holotape.LossError):
        holotape.convert(source, "take.bin", strict=True)
    assert not Path("take.bin").exists()
    with pytest.warns(holotape.LossWarning):
        assert holotape.convert(source, "take.bin")


def test_convert_converts_files(recording: holotape.Recording) -> None:
    recording.save("take.bin")
    assert holotape.convert("take.bin", "take.json") == []
    assert holotape.open("take.json") == recording
    with pytest.warns(holotape.LossWarning):
        losses = holotape.convert(Path("take.bin"), "take.bvh", rate=30, bones="fixed", unit="cm")
    assert "bones" in {loss.kind for loss in losses}
    holotape.convert("take.bin", "take.parquet", table="keys")
    assert b"take.bin" in Path("take.parquet").read_bytes()


def test_options_without_effect_are_rejected(recording: holotape.Recording) -> None:
    with pytest.raises(TypeError, match="hierarchy has no effect on a CSV table"):
        recording.save("take.csv", hierarchy=True)
    with pytest.raises(TypeError, match="key_layout has no effect"):
        recording.save("take.glb", key_layout="full")
    with pytest.raises(ValueError, match="unknown extension"):
        recording.save("take.xyz")
    with pytest.raises(ValueError, match="to must be one of"):
        recording.save("take", to="psi")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="colour"):
        recording.save("take.glb", colour="red")  # type: ignore[call-arg]
    assert not list(Path().iterdir())


def test_plots_are_drawn_as_svg_and_png(recording: holotape.Recording) -> None:
    assert recording.to_svg(title="Reaching <far>", theme="dark").startswith("<svg")
    assert recording.to_png(size=(600, 500), curves=["camera.*"], span=(1, 2)).startswith(b"\x89PNG")
    with pytest.raises(holotape.InvalidError):
        recording.to_svg(curves=["nothing.*"])
    with pytest.raises(ValueError, match="theme must be"):
        recording.to_svg(theme="pink")


@pytest.mark.parametrize("extension", ["bin.gz", "bin.zst", "json.gz"])
def test_compressed_files_round_trip(recording: holotape.Recording, extension: str) -> None:
    path = Path(f"take.{extension}")
    assert recording.save(path) == []
    assert path.read_bytes()[:2] == (b"\x1f\x8b" if extension.endswith("gz") else b"\x28\xb5")
    for source in (path, path.read_bytes()):
        assert holotape.open(source).to_bytes() == recording.to_bytes()


def test_file_compressed_by_the_standard_library_is_opened(recording: holotape.Recording) -> None:
    data = recording.to_bytes()
    assert holotape.open(gzip.compress(data)).to_bytes() == data
    assert holotape.open(gzip.compress(data[:1000]) + gzip.compress(data[1000:])).to_bytes() == data
    recording.save("take.bin.gz")
    assert gzip.decompress(Path("take.bin.gz").read_bytes()) == data


FORK = """
import os, sys
import holotape

recording = holotape.demo(seconds=60)
for _ in range(2):
    for extension in ("csv", "parquet", "arrow", "mcap", "glb"):
        recording.save(f"take.{extension}")
    recording.save("take.bin.zst")
    assert holotape.open("take.bin.zst") == recording
    child = os.fork()
    if child != 0:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_forked_process_reads_and_writes_files() -> None:
    # The threads of the first process do not exist in the second.
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=600)


def test_zstd_file_of_several_frames_is_read_by_pyarrow() -> None:
    recording = holotape.demo(seconds=20)
    recording.save("take.bin.zst")
    assert Path("take.bin.zst").read_bytes().count(b"\x28\xb5\x2f\xfd") > 1
    with pa.input_stream("take.bin.zst", compression="zstd") as stream:
        data = stream.read()
    assert data == recording.to_bytes()
    assert holotape.open("take.bin.zst").to_bytes() == data


def test_damaged_compressed_file_is_refused_and_repaired(recording: holotape.Recording) -> None:
    recording.save("take.bin.zst")
    data = Path("take.bin.zst").read_bytes()
    for read in (holotape.open, holotape.check):
        with pytest.raises(holotape.TruncatedError, match="zstd data is truncated"):
            read(data[: len(data) * 3 // 4])
    assert holotape.check("take.bin.zst") == recording.check()
    repaired, report = holotape.repair(data[: len(data) * 3 // 4])
    assert repaired.duration_secs > 0
    assert any("decompressed bytes" in entry.message for entry in report.lost)


def test_decompressed_size_is_limited() -> None:
    # A frame of zstd: a header, and blocks of 128 KiB that repeat one byte.
    block = (128 << 10 << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    bomb = b"\x28\xb5\x2f\xfd\x00\x38" + block * 2000
    with pytest.raises(holotape.LimitExceededError, match="1000 times its compressed size"):
        holotape.open(bomb)


def test_recorder_compresses_by_name() -> None:
    frame = {"time": 0.0, "camera": {"position": [0, 1.6, 0], "rotation": [0, 0, 0, 1]}}
    with holotape.Recorder("walk.bin.zst") as recorder:
        recorder.push(frame)
        recorder.push({**frame, "time": 1.0})
        assert Path("walk.bin.journal").exists()
    assert sorted(path.name for path in Path().iterdir()) == ["walk.bin.zst"]
    assert Path("walk.bin.zst").read_bytes()[:2] == b"\x28\xb5"
    assert holotape.open("walk.bin.zst").duration_secs == 1.0
