"""rensa as its README has it: token lists into RMinHash objects, and those into an RMinHashLSH that is queried.

The batch calls stand for the loops of `update`, `insert` and `query`: they do the same with fewer calls from Python.
Tokens of a batch are dropped before the next one's are made, for memory's sake.
"""

import numpy as np
from common import SEED, SHINGLE_SIZE, THRESHOLD, Corpus, main
from joining import BANDS, HASHES, pairs_of_neighbours
from rensa import RMinHash, RMinHashLSH
from shingling import batches


def tokens(text: str, mode: str) -> list[str]:
    size = SHINGLE_SIZE[mode]
    if mode == "char":
        return [text[i : i + size] for i in range(max(1, len(text) - size + 1))]
    words = text.split()
    return [" ".join(words[i : i + size]) for i in range(max(1, len(words) - size + 1))]


def find(corpus: Corpus, mode: str) -> np.ndarray:
    index = RMinHashLSH(THRESHOLD, HASHES, BANDS)
    sketches: dict[int, RMinHash] = {}
    for numbers, texts in batches(corpus.texts()):
        signed = RMinHash.from_token_sets([tokens(text, mode) for text in texts], HASHES, SEED)
        sketches.update(zip(numbers, signed))
    ordered = [sketches[number] for number in range(len(sketches))]
    index.insert_many(ordered)
    return pairs_of_neighbours(index.query_all(ordered))


if __name__ == "__main__":
    main(find)
