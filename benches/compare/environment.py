#!/usr/bin/env python3
"""The environment of the rivals: made by venv, filled by pip.

    benches/compare/environment.py FOLDER     makes it, or brings it up to date
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from measure import last_line, say

HERE = Path(__file__).resolve().parent
# How pip says, in many words, that it reached no index at all.
OFFLINE = ("connection broken by", "NewConnectionError", "Could not fetch URL", "(from versions: none)")


class Environment:
    """What the rivals run in: those of requirements.txt, and all that they need at the versions of constraints.txt."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "bin" / "python"
        self.missing: dict[str, str] = {}
        if not self.python.exists() or self.pip("--version").returncode != 0:
            made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], capture_output=True, text=True)
            if made.returncode != 0:
                sys.exit(f"no environment could be made in {folder}: {last_line(made.stdout + made.stderr)}")
        say(f"installing the rivals into {folder}")
        requirements = HERE / "requirements.txt"
        done = self.install("-r", str(requirements))
        if done.returncode == 0:
            return
        if any(sign in done.stderr for sign in OFFLINE):
            sys.exit(
                "the rivals are not installed, and no package index answers: connect this machine to one, "
                f"or give --env a folder that an earlier run has filled (pip: {last_line(done.stderr)})"
            )
        # Something has no wheel here: find out what, and go on with the rest.
        for line in requirements.read_text().splitlines():
            if line and not line.startswith("#"):
                done = self.install(line)
                if done.returncode != 0:
                    self.missing[line.split("==")[0]] = last_line(done.stderr)

    def install(self, *what: str) -> subprocess.CompletedProcess:
        # Wheels alone: building one from source takes long, and measures this machine's compiler.
        return self.pip("install", "-q", "--only-binary", ":all:", "-c", str(HERE / "constraints.txt"), *what)

    def pip(self, *arguments: str) -> subprocess.CompletedProcess:
        command = [str(self.python), "-m", "pip", "--disable-pip-version-check", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def versions(self) -> dict[str, str]:
        listed = json.loads(self.pip("list", "--format", "json").stdout)
        return {package["name"].lower(): package["version"] for package in listed}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("environment.py takes one folder")
    for rival, why in Environment(Path(sys.argv[1])).missing.items():
        say(f"{rival} is not installed: {why}")
