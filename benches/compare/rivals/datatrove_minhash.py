"""datatrove: the first two stages of its minhash pipeline, signatures and buckets, run by its local executor.

The later stages cluster documents and rewrite the corpus, which nobody else here does. One task a core signs, and one a
band matches. In words everything is its default: normalised, lower-cased text, spaCy's English words. In characters, the
one method that makes shingles is replaced by the numpy shingler, which is faster than its own.
"""

import os
import tempfile
from pathlib import Path

import numpy as np
from common import Corpus, main
from datatrove.data import Document
from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupSignature
from joining import BANDS, ROWS, distinct, pairs_of_buckets
from shingling import characters

CONFIG = MinhashConfig(n_grams=5, num_buckets=BANDS, hashes_per_bucket=ROWS)


class CharacterSignature(MinhashDedupSignature):
    def get_shingles(self, text: str) -> np.ndarray:
        return characters([text])[0].reshape(-1, 1)


class Reader:
    """Each task reads every n-th chunk, and leaves how many documents that was chunk by chunk."""

    def __init__(self, corpus: Corpus, counts: Path) -> None:
        self.corpus, self.counts = corpus, counts

    def __call__(self, data, rank: int = 0, world_size: int = 1):
        counts = []
        for chunk in self.corpus.chunks()[rank::world_size]:
            counts.append(0)
            for _, text in self.corpus.read(chunk):
                counts[-1] += 1
                yield Document(text=text, id="")
        np.save(self.counts / f"{rank}.npy", np.array(counts, dtype=np.int64))


def execute(step: list, tasks: int, cores: int, logs: Path) -> None:
    LocalPipelineExecutor(step, tasks=tasks, workers=cores, start_method="fork", logging_dir=str(logs)).run()


def document_numbers(chunks: int, work: Path, cores: int) -> list[np.ndarray]:
    """For each task, the document numbers of its documents."""
    counts = np.zeros(chunks, dtype=np.int64)
    for rank in range(cores):
        counts[rank::cores] = np.load(work / f"{rank}.npy")
    starts = np.cumsum(counts) - counts
    ranges = [np.arange(start, start + count) for start, count in zip(starts, counts)]
    return [np.concatenate(ranges[rank::cores] or [np.empty(0, dtype=np.int64)]) for rank in range(cores)]


def find(corpus: Corpus, mode: str) -> np.ndarray:
    cores = os.cpu_count() or 1
    signature = MinhashDedupSignature if mode == "word" else CharacterSignature
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        execute([Reader(corpus, work), signature(f"{work}/signatures", CONFIG)], cores, cores, work / "log1")
        execute(
            [MinhashDedupBuckets(f"{work}/signatures", f"{work}/buckets", config=CONFIG)], BANDS, cores, work / "log2"
        )
        numbers = document_numbers(len(corpus.chunks()), work, cores)
        found = [chained_pairs(file, numbers) for file in sorted((work / "buckets").glob("*.dups"))]
    return distinct(np.concatenate(found))


def chained_pairs(file: Path, numbers: list[np.ndarray]) -> np.ndarray:
    """A bucket of n documents is written as n - 1 links of a chain; here it is taken for all its pairs."""
    links = np.fromfile(file, dtype="<u4").reshape(-1, 4)
    ends = np.empty((len(links), 2), dtype=np.int64)
    for side, (task, place) in enumerate(((0, 1), (2, 3))):
        for rank, members in enumerate(numbers):
            here = links[:, task] == rank
            ends[here, side] = members[links[here, place]]
    breaks = np.flatnonzero(np.concatenate(([True], ends[1:, 0] != ends[:-1, 1]))) if len(ends) else np.empty(0, int)
    lengths = np.diff(np.concatenate((breaks, [len(ends)]))) + 1
    members = np.insert(ends[:, 1], breaks, ends[breaks, 0])
    return pairs_of_buckets(members, np.concatenate(([0], np.cumsum(lengths))).astype(np.int64))


if __name__ == "__main__":
    main(find)
