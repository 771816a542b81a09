"""Lists what the program is built of: a bill of materials (SBOM) as CycloneDX 1.5 in JSON, from `Cargo.lock` and `cargo metadata`.

The same lock file gives the same bytes: there is no time and no random serial number in it.
"""

import json
import pathlib
import subprocess
import tomllib

TOP = pathlib.Path(__file__).resolve().parents[2]
TARGET = "x86_64-unknown-linux-gnu"


def built_packages():
    """The packages that are linked into the program or run while it is built, without those of tests; the root comes first."""
    arguments = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--features", "full", "--filter-platform", TARGET]
    metadata = json.loads(subprocess.run(arguments, check=True, cwd=TOP, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root, edges = metadata["resolve"]["root"], {}
    waiting = [root]
    while waiting:
        package = waiting.pop()
        if package not in edges:
            # The kind of a dependency of tests is "dev".
            needed = [dependency["pkg"] for dependency in nodes[package]["deps"]
                      if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])]
            edges[package] = sorted(needed)
            waiting += needed
    return packages, root, edges


def bill(version):
    packages, root, edges = built_packages()
    lock = tomllib.loads((TOP / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    purl = lambda package: f"pkg:cargo/{package['name']}@{package['version']}"

    def component(identifier, kind="library"):
        package = packages[identifier]
        found = {"type": kind, "bom-ref": purl(package), "name": package["name"], "version": package["version"], "purl": purl(package)}
        if package.get("description"):
            found["description"] = " ".join(package["description"].split())
        if package.get("license"):
            found["licenses"] = [{"expression": package["license"].replace(" / ", " OR ").replace("/", " OR ")}]
        if checksum := checksums.get((package["name"], package["version"])):
            found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return found

    order = sorted((identifier for identifier in edges if identifier != root), key=lambda identifier: purl(packages[identifier]))
    assert packages[root]["version"] == version, "the version of Cargo.toml is that of the packages"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(root, "application")},
        "components": [component(identifier) for identifier in order],
        "dependencies": [{"ref": purl(packages[identifier]), "dependsOn": [purl(packages[needed]) for needed in edges[identifier]]}
                         for identifier in [root, *order]],
    }


def write(output, version):
    """Writes the bill of materials next to the packages, and returns its bytes."""
    text = json.dumps(bill(version), indent=1, ensure_ascii=False).encode() + b"\n"
    (output / f"dedup-{version}.cdx.json").write_bytes(text)
    return text
