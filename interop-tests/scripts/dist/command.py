"""Runs an installed command `holotape` as a new user would, and prints the SHA-256 of the demo recording.

    command.py COMMAND [LIBRARY]

It writes the demo, shows its contents, serves it and loads the page, and finds the library of the OpenXR layers, or uses
LIBRARY. If that is -, there is none.
"""

import gzip
import hashlib
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path


def main() -> None:
    command = sys.argv[1]

    def run(*args: str) -> str:
        # The layers are installed for the user.
        env = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        if len(sys.argv) > 2:
            env["HOLOTAPE_OPENXR_LIBRARY"] = sys.argv[2]
        process = subprocess.run([command, *args], check=True, stdout=subprocess.PIPE, universal_newlines=True, cwd=folder, env=env)
        return process.stdout

    with tempfile.TemporaryDirectory() as folder:
        run("demo", "--no-page", "demo.bin")
        assert "12.000 s" in run("info", "demo.bin"), "info does not show the duration"
        view(command, folder)
        if sys.argv[2:] != ["-"]:
            # Fails if the library is missing.
            run("openxr", "install", "record", "take.bin")
            assert "record" in run("openxr", "status"), "the layer is not installed"
            run("openxr", "uninstall")
        print(hashlib.sha256(Path(folder, "demo.bin").read_bytes()).hexdigest())


def view(command: str, folder: str) -> None:
    """Serves the recording, and loads the page, its script and the list of recordings."""
    args = [command, "view", "demo.bin", "--no-open", "--no-token"]
    server = subprocess.Popen(args, stdout=subprocess.PIPE, universal_newlines=True, cwd=folder)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0]
        for path, part in [("", "viewer.js"), ("viewer.js", "three"), ("api/state", "demo.bin")]:
            with urllib.request.urlopen(address + path) as response:
                body = response.read()
                if response.headers["Content-Encoding"] == "gzip":
                    body = gzip.decompress(body)
                assert part in body.decode(), f"{address}{path} does not contain {part}"
    finally:
        server.kill()
        server.wait()


main()
