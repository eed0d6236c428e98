from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path


def command_path() -> Path | None:
    """The command ``holotape`` that was installed with this package, or ``None`` if the package was built from source."""
    name = "holotape.exe" if sys.platform == "win32" else "holotape"
    try:
        files = importlib.metadata.files("holotape") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())).resolve() for file in files if file.name == name]
    return next((path for path in paths if path.is_file()), None)
