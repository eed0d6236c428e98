"""The metadata of the installed package."""

import re
from importlib.metadata import metadata
from pathlib import Path

import holotape

ROOT = Path(__file__).parents[3]


def test_version_is_that_of_the_workspace() -> None:
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^\[workspace\.package\]\nversion = "(.*)"$', manifest, re.MULTILINE)
    assert found is not None
    assert holotape.__version__ == found[1]


def test_metadata_describes_the_package() -> None:
    package = metadata("holotape")
    assert package["License-Expression"] == "MIT OR Apache-2.0"
    assert package["Requires-Python"] == ">=3.9"
    assert "Typing :: Typed" in package.get_all("Classifier", [])
    readme = package.get_payload()
    assert isinstance(readme, str)
    assert readme.strip() == (ROOT / "crates/holotape-python/README.md").read_text(encoding="utf-8").strip()
