"""Runs a command as a process of its own and measures it with its children; and says on what machine that was."""

from __future__ import annotations

import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def build() -> Path:
    """Builds `dedup` as the packages have it, with the profile that all figures are measured with."""
    command = ["cargo", "build", "--profile", "dist", "--features", "full", "--quiet", "--bin", "dedup", "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE).stdout
    programs = [message.get("executable") for message in map(json.loads, built.splitlines())]
    return Path(next(program for program in programs if program))


@dataclass
class Outcome:
    status: str
    wall: float
    cpu: float
    peak: int


def run(command: list[str], out: Path, log: Path, timeout: float, max_memory: int) -> Outcome:
    """Runs a command with its standard output in `out`, and measures it and all its children."""
    environment = os.environ | {
        "DO_NOT_TRACK": "1",
        "DAFT_ANALYTICS_ENABLED": "0",
        "DAFT_PROGRESS_BAR": "0",
        "HF_HUB_OFFLINE": "1",
    }
    killed: list[str] = []
    done = threading.Event()
    with out.open("wb") as stdout, log.open("wb") as stderr:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=stdout, stderr=stderr, env=environment, start_new_session=True)
        peak = [0]

        def watch() -> None:
            while not done.wait(0.1):
                peak[0] = max(peak[0], tree_memory(process.pid))
                if time.perf_counter() - start > timeout:
                    killed.append(f"not done in {timeout:.0f} s")
                elif peak[0] > max_memory:
                    killed.append(f"more than {max_memory / 1e9:.1f} GB")
                if killed:
                    os.killpg(process.pid, signal.SIGKILL)
                    return

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            _, wait_status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            done.set()
            watcher.join()
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(wait_status)
    largest = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    status = "ok"
    if killed:
        status = killed[0]
    elif process.returncode != 0:
        status = f"failed ({process.returncode}): {last_line(log.read_text(errors='replace'))}"
    return Outcome(status, wall, usage.ru_utime + usage.ru_stime, max(largest, peak[0]))


def tree_memory(root: int) -> int:
    """The memory of a process and its children that no file backs, in bytes; 0 where there is no /proc."""
    total, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        try:
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    total += 1024 * int(line.split()[1])
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                waiting.extend(map(int, children.read_text().split()))
        except (OSError, ValueError):
            continue
    return total


def warm(corpus: Path) -> None:
    """Reads the corpus once, so that it is in the page cache for the first contestant as for the last."""
    for file in files(corpus):
        with open(file, "rb") as data:
            while data.read(1 << 20):
                pass


def files(corpus: Path) -> Iterator[str]:
    """The regular files of a corpus, one after another: the most that this process ever had in memory counts as its
    children's, so no list of them is kept."""
    if not corpus.is_dir():
        yield str(corpus)
    for folder, _, names in os.walk(corpus):
        paths = (os.path.join(folder, name) for name in names)
        yield from (path for path in paths if os.path.isfile(path) and not os.path.islink(path))


def reading_command(corpus: Path) -> list[str]:
    """The command that reads a corpus and looks at none of it: no finder can take less."""
    if corpus.is_file():
        return ["cat", str(corpus)]
    return ["sh", "-c", f"find {shlex.quote(str(corpus))} -type f -print0 | xargs -0 -P2 -n 500 cat"]


def machine() -> dict:
    """What a figure is worth nothing without."""
    return {
        "date": date.today().isoformat(),
        "commit": commit(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory() / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def commit() -> str:
    """The commit that was built, with a mark when the files differ from it."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude", "*"], cwd=REPOSITORY, capture_output=True, text=True
    )
    return described.stdout.strip() or "unknown"


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no message"
