"""FastSketchLSH through its CSR batch call on hashes made by numpy; bands are joined by sorting, in numpy.

No Python object is made for a shingle, a document or a candidate. Sketch sizes have to be powers of two: the first 100 of
128 values are banded, so that the chance to find a pair is that of the others. Its own LSH finds the same pairs, and takes
seven times as long for it as the join. The native code releases both cores by itself; one process a core, each with one
thread, keeps reading and shingling parallel too.
"""

import numpy as np
from common import SEED, Corpus, main, sign_corpus
from FastSketchLSH import FastSimilaritySketch
from joining import HASHES, band_keys, equal_bands

SKETCH = FastSimilaritySketch(size=128, seed=SEED)


def sign(hashes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    return band_keys(SKETCH.batch_csr(hashes, offsets, prehashed=True, num_threads=1)[:, :HASHES])


def find(corpus: Corpus, mode: str) -> np.ndarray:
    return equal_bands(sign_corpus(corpus, mode, sign))


if __name__ == "__main__":
    main(find)
