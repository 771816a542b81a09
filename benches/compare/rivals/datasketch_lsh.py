"""datasketch: MinHash with an identity hash function on hashes made by numpy, then MinHashLSH, which is queried.

Passing hashes instead of bytes leaves out its SHA-1, the slowest part; copying one empty sketch leaves out drawing its
permutations for each document, as its own `bulk` does. Signing is spread over one process a core.
"""

import numpy as np
from common import SEED, Corpus, main, sign_corpus
from datasketch import MinHash, MinHashLSH
from joining import BANDS, HASHES, ROWS, pairs_of_neighbours

EMPTY = MinHash(num_perm=HASHES, seed=SEED, hashfunc=int)


def sign(hashes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    # Its default scheme takes 32-bit hashes.
    short = (hashes >> np.uint64(32)).astype(np.uint32)
    rows = [short[a:b].tolist() for a, b in zip(offsets[:-1], offsets[1:])]
    return np.stack([sketch.hashvalues for sketch in MinHash.generator(rows, num_perm=HASHES, seed=SEED, hashfunc=int)])


def find(corpus: Corpus, mode: str) -> np.ndarray:
    sketches = []
    for row in sign_corpus(corpus, mode, sign):
        sketch = EMPTY.copy()
        sketch.hashvalues = row
        sketches.append(sketch)
    index = MinHashLSH(num_perm=HASHES, params=(BANDS, ROWS))
    for number, sketch in enumerate(sketches):
        index.insert(number, sketch, check_duplication=False)
    return pairs_of_neighbours([index.query(sketch) for sketch in sketches])


if __name__ == "__main__":
    main(find)
