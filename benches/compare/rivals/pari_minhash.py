"""pari: signatures by its batch call on hashes made by numpy; bands are joined by sorting, in numpy.

Its values are byte strings, and the eight bytes of a hash are the cheapest ones that Python can make. Its index chooses
the bands itself, 8 of 12 rows for these hashes and this threshold, which find 43 % of the pairs at the threshold. So its
signatures are joined as the matrix of rensa is, by the same 20 bands of 5 as all others. One process a core, each with
one thread, keeps reading and shingling parallel too.
"""

import numpy as np
from common import SEED, Corpus, main, sign_corpus
from joining import HASHES, band_keys, equal_bands
from pari import MinHash


def sign(hashes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    values = hashes.view("V8").tolist()
    rows = [values[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
    signed = MinHash.from_batch(rows, num_perm=HASHES, seed=SEED, threads=1)
    return band_keys(np.array([sketch.signature for sketch in signed], dtype=np.uint64))


def find(corpus: Corpus, mode: str) -> np.ndarray:
    return equal_bands(sign_corpus(corpus, mode, sign))


if __name__ == "__main__":
    main(find)
