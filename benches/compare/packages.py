"""Releases of packages, brought by the ordinary clients of their registries and unpacked as text files.

A list in pinned/ has one package a line: the client's kind, the package's name, and its versions. One release is one
archive, which the client downloads by name and version and which nothing here builds or runs. `archives` keeps them
between builds. Unpacked are the regular files that are text (no NUL byte) and not hidden, since these are what every
finder compares and what `cat` is timed on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath

from measure import last_line, say

DOWNLOADS_AT_ONCE = 4
# A wheel for other machines than this one is taken as well, so that everyone unpacks the same.
WHEELS = ["--only-binary", ":all:", "--python-version", "3.11", "--platform", "any"]
WHEELS += ["--platform", "manylinux2014_x86_64"]
MANIFEST = """\
[package]
name = "nothing"
version = "0.0.0"
edition = "2021"
[dependencies]
{name} = {{ version = "={version}", default-features = false }}
"""


@dataclass(frozen=True)
class Release:
    kind: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def folder(self) -> Path:
        """`package/version`, without what some file systems do not take."""
        return Path(self.name.lstrip("@").replace("/", "-"), self.version.rsplit(":")[-1])


def pinned(listing: Path, tiny: bool) -> list[Release]:
    """The releases of a list; of its tiny form, the first two of each package whose line begins with a plus sign."""
    releases = []
    for line in listing.read_text().splitlines():
        words = line.split()
        if not words or words[0] == "#":
            continue
        marked = words[0] == "+"
        kind, name, *versions = words[1:] if marked else words
        if marked or not tiny:
            releases += [Release(kind, name, version) for version in (versions[:2] if tiny else versions)]
    return releases


class NoArchive(Exception):
    """A client did not bring an archive; the message says why."""


@dataclass(frozen=True)
class LeftOut:
    """A release that could not be had, or all of a kind, and why; `excused` where this machine cannot help it."""

    what: str
    why: str
    excused: bool

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


def unpack_all(releases: list[Release], out: Path, archives: Path, suffixes: tuple[str, ...]) -> list[LeftOut]:
    """Unpacks every release into `out`; returns what was left out. With no suffixes, files of every name count."""
    left_out = []
    for kind in dict.fromkeys(release.kind for release in releases):
        missing = [program for program in CLIENTS[kind].programs if not shutil.which(program)]
        if missing:
            left_out.append(LeftOut(f"packages of {kind}", f"no {' and no '.join(missing)} here", excused=True))
            releases = [release for release in releases if release.kind != kind]
    with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as threads:
        for result in threads.map(lambda release: _unpack(release, out, archives, suffixes), releases):
            if isinstance(result, LeftOut):
                left_out.append(result)
            else:
                say(result)
    return left_out


def _unpack(release: Release, out: Path, archives: Path, suffixes: tuple[str, ...]) -> str | LeftOut:
    """Unpacks one release, and says so."""
    client = CLIENTS[release.kind]
    folder = archives / release.kind / release.folder
    try:
        if not (folder.exists() and any(folder.iterdir())):
            _bring(client, release, folder)
        archive = next(folder.iterdir())
        count = 0
        for name, data in client.members(archive):
            if name.endswith(suffixes or "") and b"\0" not in data and _is_plain(name):
                file = out / release.folder / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
                count += 1
    except (NoArchive, OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        return LeftOut(str(release), str(error), excused=client.may_drop)
    return f"{release}: {count} files"


def _bring(client: Client, release: Release, folder: Path) -> None:
    """Downloads an archive beside its place and moves it there, so that one cut short is never found."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    client.bring(release, part)
    if not any(part.iterdir()):
        raise NoArchive("the client says that all is well, and there is no archive")
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def _is_plain(name: str) -> bool:
    """Not hidden, and nowhere else than in its archive's own folder."""
    return not name.startswith("/") and not any(part.startswith(".") for part in PurePosixPath(name).parts)


def _run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        # All of these clients say first what is wrong, and then much more.
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise NoArchive(f"{Path(command[0]).name}: {said[0][:200] if said else 'no message'}")


def _bring_wheel(release: Release, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    _run(*pip, *WHEELS, "--dest", ".", f"{release.name}=={release.version}", cwd=folder)


def _bring_tarball(release: Release, folder: Path) -> None:
    _run("npm", "pack", "--loglevel", "error", f"{release.name}@{release.version}", cwd=folder)


def _bring_crate(release: Release, folder: Path) -> None:
    """Has a package that is nothing but this dependency fetched, and takes the archive from cargo's cache."""
    with tempfile.TemporaryDirectory(prefix="dedup-crate-") as temporary:
        package = Path(temporary)
        (package / "src").mkdir()
        (package / "src" / "lib.rs").touch()
        (package / "Cargo.toml").write_text(MANIFEST.format(name=release.name, version=release.version))
        _run("cargo", "fetch", "--quiet", cwd=package)
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    for crate in home.glob(f"registry/cache/*/{release.name}-{release.version}.crate"):
        shutil.copy(crate, folder)
        return


def _bring_debian_package(release: Release, folder: Path) -> None:
    _run("apt-get", "download", "--quiet", f"{release.name}={release.version}", cwd=folder)


def _wheel_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            if not member.is_dir():
                yield member.filename, wheel.read(member)


def _tarball_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """The members of an archive whose one folder is the package."""
    with tarfile.open(archive) as tarball:
        yield from ((name.partition("/")[2], data) for name, data in _regular_files(tarball))


def _debian_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    done = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], capture_output=True)
    if done.returncode != 0:
        raise NoArchive(f"dpkg-deb: {last_line(done.stderr.decode(errors='replace'))}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as tarball:
        yield from ((name.removeprefix("./"), data) for name, data in _regular_files(tarball))


def _regular_files(tarball: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tarball:
        if member.isreg() and (data := tarball.extractfile(member)):
            yield member.name, data.read()


@dataclass(frozen=True)
class Client:
    """The programs that it takes to bring an archive and to read it; how to do both; and whether releases vanish."""

    programs: tuple[str, ...]
    bring: Callable[[Release, Path], None]
    members: Callable[[Path], Iterator[tuple[str, bytes]]]
    may_drop: bool = False


CLIENTS = {
    "pypi": Client((), _bring_wheel, _wheel_members),
    "npm": Client(("npm",), _bring_tarball, _tarball_members),
    "cargo": Client(("cargo",), _bring_crate, _tarball_members),
    "debian": Client(("apt-get", "dpkg-deb"), _bring_debian_package, _debian_members, may_drop=True),
}
