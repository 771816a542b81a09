"""Packs one program as a tarball, a Debian package, a wheel and npm packages, and writes what it is built of and their SHA-256 sums.

The same program makes the same bytes: times are SOURCE_DATE_EPOCH, owners are root, orders are fixed. Nothing is downloaded when a
package is installed, and no package runs a script then.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

sys.dont_write_bytecode = True
import sbom  # noqa: E402, next to this file

TOP = pathlib.Path(__file__).resolve().parents[2]
TARGET = "x86_64-unknown-linux-gnu"
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
ABOUT = "Finds near-duplicate documents, proves every pair and states its recall"
SHELLS = {"bash": "dedup", "zsh": "_dedup", "fish": "dedup.fish"}


def tar_gz(path, files):
    """Writes a tarball of (name, bytes, mode), with the folders above them."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        folders = set()
        for name, content, mode in sorted(files):
            for folder in reversed(pathlib.PurePosixPath(name).parents[:-1]):
                if folder not in folders:
                    folders.add(folder)
                    entry = tarfile.TarInfo(str(folder))
                    entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, EPOCH
                    tar.addfile(entry)
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            tar.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(raw.getvalue(), 9, mtime=EPOCH))


def extras(program):
    """The manual and the completions, as the program itself writes them."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "man", "--into", folder], check=True)
        pages = {page.name: page.read_bytes() for page in pathlib.Path(folder).iterdir()}
    run = lambda shell: subprocess.run([program, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
    return pages, {shell: run(shell) for shell in SHELLS}


def tarball(output, version, program, pages, completions, materials):
    root = f"dedup-{version}-{TARGET}"
    files = [(f"{root}/dedup", program, 0o755)]
    files += [(f"{root}/{name}", (TOP / name).read_bytes(), 0o644) for name in ("LICENSE", "README.md", "CHANGELOG.md")]
    files.append((f"{root}/dedup.cdx.json", materials, 0o644))
    files += [(f"{root}/man/{name}", page, 0o644) for name, page in pages.items()]
    files += [(f"{root}/completions/{SHELLS[shell]}", script, 0o644) for shell, script in completions.items()]
    tar_gz(output / f"{root}.tar.gz", files)


def debian(output, version, program, pages, completions, is_static):
    """Packs by dpkg-deb, which heeds SOURCE_DATE_EPOCH."""
    packed = lambda content: gzip.compress(content, 9, mtime=0)
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(EPOCH))
    # As Debian's tools have it.
    name = os.environ.get("DEBFULLNAME", "The dedup authors")
    maintainer = f"{name} <{os.environ.get('DEBEMAIL', 'dedup@users.noreply.github.com')}>"
    changelog = f"dedup-scan ({version}-1) unstable; urgency=medium\n\n  * Release {version}.\n\n -- {maintainer}  {date}\n"
    licence = (TOP / "LICENSE").read_text()
    body = "\n".join(f" {line}" if line.strip() else " ." for line in licence.splitlines())
    holder = next(line for line in licence.splitlines() if line.startswith("Copyright"))
    copyright = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
        f"Files: *\nCopyright: {holder.removeprefix('Copyright').strip()}\nLicense: Expat\n\nLicense: Expat\n{body}\n"
    )
    doc = "usr/share/doc/dedup-scan"
    files = {
        "usr/bin/dedup": (program, 0o755),
        f"{doc}/changelog.Debian.gz": (packed(changelog.encode()), 0o644),
        f"{doc}/copyright": (copyright.encode(), 0o644),
        "usr/share/bash-completion/completions/dedup": (completions["bash"], 0o644),
        "usr/share/zsh/vendor-completions/_dedup": (completions["zsh"], 0o644),
        "usr/share/fish/vendor_completions.d/dedup.fish": (completions["fish"], 0o644),
    }
    files |= {f"usr/share/man/man1/{name}.gz": (packed(page), 0o644) for name, page in pages.items()}
    if is_static:
        # One program for every version of Debian, which lintian would have use the shared libraries.
        files["usr/share/lintian/overrides/dedup-scan"] = (b"dedup-scan: statically-linked-binary [usr/bin/dedup]\n", 0o644)
    size = sum(len(content) + 1023 for content, _ in files.values()) // 1024
    depends = "" if is_static else "Depends: libc6, libgcc-s1\n"
    control = (
        f"Package: dedup-scan\nVersion: {version}-1\nArchitecture: amd64\nMaintainer: {maintainer}\nInstalled-Size: {size}\n{depends}"
        f"Section: utils\nPriority: optional\nDescription: finder of near-duplicate documents\n"
        " dedup finds the near-duplicate documents of files, folders and data sets.\n"
        " It proves every pair with its exact Jaccard similarity, states which share\n"
        " of the pairs it finds, and shows which passages they have in common.\n"
    )
    sums = "".join(f"{hashlib.md5(content).hexdigest()}  {name}\n" for name, (content, _) in sorted(files.items()))
    files |= {"DEBIAN/control": (control.encode(), 0o644), "DEBIAN/md5sums": (sums.encode(), 0o644)}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, (content, mode) in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(mode)
        for path in [root, *root.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)
        deb = output / f"dedup-scan_{version}-1_amd64.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder, deb], check=True, stdout=subprocess.DEVNULL)


MAIN = '''"""Runs the program that this package brings: python -m dedup_scan ARGUMENTS."""

import os
import sys
import sysconfig


def main():
    for scheme in (None, sysconfig.get_preferred_scheme("user")):
        folder = sysconfig.get_path("scripts") if scheme is None else sysconfig.get_path("scripts", scheme)
        program = os.path.join(folder, "dedup")
        if os.path.isfile(program):
            os.execv(program, ["dedup", *sys.argv[1:]])
    sys.exit("dedup: the program is not where this package put it; install the package again")


if __name__ == "__main__":
    main()
'''


def wheel(output, version, program, is_static):
    """A wheel without Python code of its own but for `python -m dedup_scan`."""
    platform = "manylinux_2_17_x86_64.manylinux2014_x86_64" if is_static else "linux_x86_64"
    info, data = f"dedup_scan-{version}.dist-info", f"dedup_scan-{version}.data"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    metadata = (
        f"Metadata-Version: 2.1\nName: dedup-scan\nVersion: {version}\nSummary: {ABOUT}\nLicense: MIT\n"
        f"Requires-Python: >=3.10\nDescription-Content-Type: text/markdown\n\n{(TOP / 'README.md').read_text()}"
    )
    files = [
        ("dedup_scan/__init__.py", b'"""The program dedup; run it as dedup or by python -m dedup_scan."""\n', 0o644),
        ("dedup_scan/__main__.py", MAIN.encode(), 0o644),
        (f"{data}/scripts/dedup", program, 0o755),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: dedup\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644),
        (f"{info}/licenses/LICENSE", (TOP / "LICENSE").read_bytes(), 0o644),
    ]
    digest = lambda content: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content, _ in files)
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644))
    with zipfile.ZipFile(output / f"dedup_scan-{version}-py3-none-{platform}.whl", "w") as whl:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(name, time.gmtime(max(EPOCH, 315532800))[:6])
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            whl.writestr(entry, content, compresslevel=9)


LAUNCHER = """#!/usr/bin/env node
// Runs the program of the package for this system.
const { spawnSync } = require("node:child_process");
let program;
try {
  program = require.resolve(`dedup-scan-${process.platform}-${process.arch}/dedup`);
} catch {
  console.error(`dedup: there is no package for ${process.platform} ${process.arch}; install the program another way`);
  process.exit(2);
}
const { status, signal } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 2);
"""


def npm(output, version, program):
    """Two packages: the program of this system, and the launcher that chooses among systems. Neither runs a script."""
    common = {"version": version, "description": ABOUT, "license": "MIT"}
    text = lambda value: (json.dumps(value, indent=2) + "\n").encode()
    licence = (TOP / "LICENSE").read_bytes()
    of_system = {"name": "dedup-scan-linux-x64", **common, "os": ["linux"], "cpu": ["x64"], "files": ["dedup"]}
    tar_gz(
        output / f"dedup-scan-linux-x64-{version}.tgz",
        [("package/package.json", text(of_system), 0o644), ("package/dedup", program, 0o755), ("package/LICENSE", licence, 0o644)],
    )
    launcher = {"name": "dedup-scan", **common, "bin": {"dedup": "dedup.js"}, "files": ["dedup.js"]}
    launcher["optionalDependencies"] = {"dedup-scan-linux-x64": version}
    files = [("package.json", text(launcher), 0o644), ("dedup.js", LAUNCHER.encode(), 0o755), ("LICENSE", licence, 0o644)]
    files.append(("README.md", (TOP / "README.md").read_bytes(), 0o644))
    tar_gz(output / f"dedup-scan-{version}.tgz", [(f"package/{name}", content, mode) for name, content, mode in files])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--program", "--version", "--output"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    output, program = pathlib.Path(args.output), pathlib.Path(args.program).read_bytes()
    version = subprocess.run([args.program, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    is_static = ", static" in version
    pages, completions = extras(args.program)
    tarball(output, args.version, program, pages, completions, sbom.write(output, args.version))
    debian(output, args.version, program, pages, completions, is_static)
    wheel(output, args.version, program, is_static)
    npm(output, args.version, program)
    packages = sorted(path for path in output.iterdir() if path.name != "SHA256SUMS")
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in packages)
    (output / "SHA256SUMS").write_text("".join(sums))


main()
