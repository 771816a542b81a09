"""near-dupes: its finder on the collapsed texts, which compares each candidate exactly.

It has shingles of characters only, works on one core, and chooses the bands itself so that 98 % of the pairs at the
threshold are candidates. Up to 2,000 different texts are compared without signatures, all with all. Its pairs connect
equal texts to the first one, and only that one to similar texts, so here they become all pairs of those texts.
"""

from itertools import chain

import numpy as np
from common import SEED, SHINGLE_SIZE, THRESHOLD, Corpus, main
from joining import HASHES, distinct, pairs_of_buckets
from near_dupes import DuplicateFinder


def find(corpus: Corpus, mode: str) -> np.ndarray:
    finder = DuplicateFinder(
        kind="text",
        threshold=THRESHOLD,
        n_gram=SHINGLE_SIZE[mode],
        num_perm=HASHES,
        random_state=SEED,
        normalize=False,
    )
    texts = list(corpus.texts())
    copies: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        copies.setdefault(text, []).append(number)
    members = np.fromiter(chain.from_iterable(copies.values()), dtype=np.int64, count=len(texts))
    starts = np.cumsum([0, *map(len, copies.values())])
    pairs = [pairs_of_buckets(members, starts)]
    for a, b, _ in finder.find(texts).pairs:
        if texts[a] != texts[b]:
            first, second = np.meshgrid(copies[texts[a]], copies[texts[b]])
            low, high = np.minimum(first, second).ravel(), np.maximum(first, second).ravel()
            pairs.append(low.astype(np.uint64) << np.uint64(32) | high.astype(np.uint64))
    return distinct(np.concatenate(pairs))


if __name__ == "__main__":
    main(find)
