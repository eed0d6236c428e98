"""Every kind of file, in and out."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import holotape
import pytest
from conftest import TESTDATA
from holotape import _holotape

WRITTEN = [name for name, _, _, is_written in _holotape.kinds() if is_written]
READ_BACK = [name for name, _, is_read, is_written in _holotape.kinds() if is_read and is_written]
NAMES = {"iwer": "take.iwer.json"}


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_kind_is_written_by_name_and_by_word(take: holotape.Recording, kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", holotape.LossWarning)
        by_name = take.save(NAMES.get(kind, f"take.{kind}"))
        by_word = take.save("take", to=kind)  # type: ignore[arg-type]
        data = take.to_bytes(to=kind)  # type: ignore[arg-type]
    assert by_name == by_word
    assert Path("take").read_bytes() == data == Path(NAMES.get(kind, f"take.{kind}")).read_bytes()


@pytest.mark.parametrize("kind", READ_BACK)
def test_what_is_read_comes_back(kind: str) -> None:
    take = holotape.demo(seconds=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", holotape.LossWarning)
        again = holotape.open(take.to_bytes(to=kind))  # type: ignore[arg-type]
    close = holotape.diff(take, again).poses["camera"]
    assert close.position_m.value < 1e-5
    assert close.angle_deg.value < 0.01


@pytest.mark.parametrize(
    "name", ["hl2ss_spatial_input.bin", "stream_recorder_head_hand_eye.csv", "psi", "psi_stereokit", "holoassist"]
)
def test_recordings_of_others_are_opened(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        take = holotape.open(TESTDATA / "import" / name)
    assert take.duration > 0
    assert [str(warning.message) for warning in caught] == [loss.message for loss in take.losses]
    assert pickle.loads(pickle.dumps(take)).losses == take.losses


def test_what_is_lost_is_told(take: holotape.Recording) -> None:
    with pytest.warns(holotape.LossWarning, match="eye gaze") as caught:
        losses = take.save("old.bin", version="1.0")
    assert [loss.kind for loss in losses] == ["gaze"]
    assert caught[0].filename == __file__
    assert str(losses[0]) == losses[0].message


def test_what_must_not_be_lost_is_not_written(take: holotape.Recording) -> None:
    Path("old.bin").write_bytes(b"before")
    with pytest.raises(holotape.LossError) as raised:
        take.save("old.bin", version="1.0", strict=True)
    assert raised.value.losses[0].kind == "gaze"
    assert pickle.loads(pickle.dumps(raised.value)).losses == raised.value.losses
    assert Path("old.bin").read_bytes() == b"before"
    assert take.save("new.bin", strict=True) == []
    with pytest.raises(holotape.LossError):
        take.to_bytes(to="bvh", strict=True)


def test_what_is_lost_in_reading_counts() -> None:
    source = TESTDATA / "import/hl2ss_spatial_input.bin"
    with pytest.raises(holotape.LossError):
        holotape.convert(source, "take.bin", strict=True)
    assert not Path("take.bin").exists()
    with pytest.warns(holotape.LossWarning):
        assert holotape.convert(source, "take.bin")


def test_convert_goes_from_file_to_file(take: holotape.Recording) -> None:
    take.save("take.bin")
    assert holotape.convert("take.bin", "take.json") == []
    assert holotape.open("take.json") == take
    with pytest.warns(holotape.LossWarning):
        losses = holotape.convert(Path("take.bin"), "take.bvh", rate=30, bones="fixed", unit="cm")
    assert "bones" in {loss.kind for loss in losses}
    holotape.convert("take.bin", "take.parquet", table="keys")
    assert b"take.bin" in Path("take.parquet").read_bytes()


def test_options_have_to_fit_the_kind(take: holotape.Recording) -> None:
    with pytest.raises(TypeError, match="hierarchy means nothing for a CSV table"):
        take.save("take.csv", hierarchy=True)
    with pytest.raises(TypeError, match="key_layout means nothing"):
        take.save("take.glb", key_layout="full")
    with pytest.raises(ValueError, match="does not say what to write"):
        take.save("take.xyz")
    with pytest.raises(ValueError, match="to has to be one of"):
        take.save("take", to="psi")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="colour"):
        take.save("take.glb", colour="red")  # type: ignore[call-arg]
    assert not list(Path().iterdir())


def test_pictures_are_drawn(take: holotape.Recording) -> None:
    assert take.to_svg(title="Reaching <far>", theme="dark").startswith("<svg")
    assert take.to_png(size=(600, 500), curves=["camera.*"], span=(1, 2)).startswith(b"\x89PNG")
    with pytest.raises(holotape.InvalidError):
        take.to_svg(curves=["nothing.*"])
    with pytest.raises(ValueError, match="theme has to be"):
        take.to_svg(theme="pink")
