"""Who is compared: `dedup` twice, every rival with an adapter in rivals/, and the tools that cannot take part, with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field

SAME = {"char": "characters", "word": "spaced words"}
OURS = {"char": "characters", "word": "unicode words"}


@dataclass(frozen=True)
class Contestant:
    """One row of a table: an adapter in rivals/, or a signature of ours, or only reading."""

    name: str
    package: str | None = None
    adapter: str | None = None
    flags: tuple[str, ...] = ()
    # For each kind of shingles that it has, the definition in judge.py.
    definitions: dict[str, str] = field(default_factory=lambda: SAME)
    # Whether a printed pair was compared exactly.
    proves: str = "no"
    only_reads: bool = False

    @property
    def ours(self) -> bool:
        return self.adapter is None and not self.only_reads


CONTESTANTS = [
    Contestant("dedup, fast", flags=("--signature", "fast"), definitions=OURS, proves="exactly"),
    Contestant("dedup, classic", flags=("--signature", "classic"), definitions=OURS, proves="exactly"),
    Contestant("rensa, flat-hash matrix", "rensa", "rensa_matrix.py"),
    Contestant("rensa, RMinHashLSH", "rensa", "rensa_lsh.py"),
    Contestant("FastSketchLSH", "fastsketchlsh", "fastsketch.py"),
    Contestant("pari", "pari-similarity", "pari_minhash.py"),
    Contestant(
        "gaoya", "gaoya", "gaoya_index.py", definitions=SAME | {"word": "alphanumeric words"}, proves="by an estimate"
    ),
    Contestant("datasketch", "datasketch", "datasketch_lsh.py"),
    Contestant(
        "near-dupes", "near-dupes", "near_dupes_finder.py", definitions={"char": "characters"}, proves="exactly"
    ),
    Contestant("Daft", "daft", "daft_minhash.py"),
    Contestant("datatrove", "datatrove", "datatrove_minhash.py", definitions=SAME | {"word": "simplified words"}),
]
READING = Contestant("reading with cat", proves="–", only_reads=True)
# All others are compared with this row.
FIRST = CONTESTANTS[0].name

# Why a known tool has no row; `run.py` and the handbook say so.
LEFT_OUT = {
    "text-dedup": "version 0.4.1 needs Python 3.12, and the others run on 3.11",
    "NeMo Curator": "finds near-duplicates only on GPUs",
    "duplodocus": "is not in a package registry",
    "Dolos, JPlag, jscpd": "look for common passages of programs, not for similar texts",
}
