"""FastSketchLSH through its CSR batch call on hashes made by numpy, and its own LSH with CSR results.

No Python object is made for a shingle, a document or a candidate. Sketch sizes have to be powers of two: the first 100 of
128 values are banded, so that the chance to find a pair is that of the others. The native code releases both cores by
itself; one process a core, each with one thread, keeps reading and shingling parallel too.
"""

import numpy as np
from common import SEED, Corpus, main, sign_corpus
from FastSketchLSH import LSH, FastSimilaritySketch
from joining import BANDS, HASHES, pairs_of_rows

SKETCH = FastSimilaritySketch(size=128, seed=SEED)


def sign(hashes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    return SKETCH.batch_csr(hashes, offsets, prehashed=True, num_threads=1)[:, :HASHES]


def find(corpus: Corpus, mode: str) -> np.ndarray:
    signatures = np.ascontiguousarray(sign_corpus(corpus, mode, sign), dtype=np.uint64)
    index = LSH(num_perm=HASHES, num_bands=BANDS)
    index.insert(signatures)
    flat, offsets = index.query(signatures, format="csr")
    return pairs_of_rows(flat, np.diff(offsets.astype(np.int64)))


if __name__ == "__main__":
    main(find)
