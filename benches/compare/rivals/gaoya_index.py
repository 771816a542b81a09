"""gaoya: MinHashStringIndex with its own analyzers and its parallel bulk calls, all of it in Rust.

Buckets are "smallvec", which it recommends when duplicates are few and nothing is removed. The index keeps signatures,
not documents, so a query takes the texts again. Queries leave out what is below the threshold by its own estimate.
In words it has an analyzer of its own, which lower-cases nothing here, and drops punctuation.
"""

import numpy as np
from common import SHINGLE_SIZE, THRESHOLD, Corpus, main
from gaoya.minhash import MinHashStringIndex
from joining import BANDS, ROWS, pairs_of_neighbours


def find(corpus: Corpus, mode: str) -> np.ndarray:
    size = SHINGLE_SIZE[mode]
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=THRESHOLD,
        num_bands=BANDS,
        band_size=ROWS,
        analyzer=mode,
        ngram_range=(size, size),
        id_container="smallvec",
    )
    texts = list(corpus.texts())
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    return pairs_of_neighbours(index.par_bulk_query(texts))


if __name__ == "__main__":
    main(find)
