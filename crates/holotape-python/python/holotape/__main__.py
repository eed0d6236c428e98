"""Runs the command ``holotape`` that was installed with this package: ``python -m holotape info take.bin``."""

from __future__ import annotations

import os
import subprocess
import sys

from holotape._command import command_path


def main() -> int:
    command = command_path()
    if command is None:
        print(
            "holotape: the command is missing, because this package was built from source; install a wheel that has it, "
            "or build it with `cargo install --path crates/holotape-cli`",
            file=sys.stderr,
        )
        return 2
    args = [str(command), *sys.argv[1:]]
    if sys.platform == "win32":
        # There, a replaced process would not be waited for.
        return subprocess.call(args)
    os.execv(command, args)


if __name__ == "__main__":
    sys.exit(main())
