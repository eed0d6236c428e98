"""The command in a wheel, and ``python -m holotape``."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest
from holotape import openxr
from holotape._command import command_path

COMMAND = "holotape.exe" if sys.platform == "win32" else "holotape"
LIBRARY = {"win32": "holotape_openxr.dll", "darwin": "libholotape_openxr.dylib"}.get(sys.platform, "libholotape_openxr.so")


def install(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs an empty package with this command."""
    info = root / "lib/site-packages/holotape-1.0.dist-info"
    for path in (root / "bin" / COMMAND, root / "lib/holotape" / LIBRARY, info / "METADATA"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (info / "RECORD").write_text(f"holotape/__init__.py,,\n../../bin/{COMMAND},,\n")
    files = importlib.metadata.Distribution.at(info).files
    monkeypatch.setattr(importlib.metadata, "files", lambda _: files)


def test_command_of_the_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    assert command_path() == (tmp_path / "bin" / COMMAND).resolve()


def test_library_of_the_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    monkeypatch.delenv("HOLOTAPE_OPENXR_LIBRARY", raising=False)
    monkeypatch.setenv("PATH", "")
    env = openxr.record_env(tmp_path / "take.bin", tmp_path / "files")
    folder = env["XR_API_LAYER_PATH"].split(os.pathsep)[0]
    manifest = Path(folder) / "XR_APILAYER_HOLOTAPE_record.json"
    assert LIBRARY in manifest.read_text()


def test_package_without_command_is_an_error(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-m", "holotape", "info"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 2
    assert "the command is missing, because this package was built from source; install" in run.stderr
