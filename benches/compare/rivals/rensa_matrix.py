"""rensa through its flat-hash matrix API: the fastest way it has to sign whole documents (its `rho` API samples them).

The library takes hashes of its own making or any 64-bit ones, so shingles are hashed by numpy, many documents at a time,
and signed without a Python object a shingle or a document. Its LSH index gives only flags for a matrix, not pairs, so bands
are joined by sorting, in numpy. A matrix comes out as lists of integers alone; an array takes them in one go.
"""

from array import array
from itertools import chain

import numpy as np
from common import SEED, Corpus, main, sign_corpus
from joining import HASHES, band_keys, equal_bands
from rensa import RMinHash


def sign(hashes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, HASHES, SEED)
    values = array("I", chain.from_iterable(matrix.to_rows()))
    return band_keys(np.frombuffer(values, dtype=np.uint32).reshape(-1, HASHES))


def find(corpus: Corpus, mode: str) -> np.ndarray:
    return equal_bands(sign_corpus(corpus, mode, sign))


if __name__ == "__main__":
    main(find)
