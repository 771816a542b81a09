"""Daft: its minhash expression, bands exploded into rows, and documents with an equal band grouped, as in its guides.

All of it runs in its native, multi-threaded engine. Its n-grams are of words between spaces; in characters, a space is
put between any two of them, and another character stands for the spaces. xxhash is the fastest of its hash functions.
"""

import daft
import numpy as np
from common import SEED, SHINGLE_SIZE, Corpus, main
from daft import col
from daft.functions import chunk, list_count, minhash
from joining import BANDS, HASHES, ROWS, distinct, pairs_of_buckets


def find(corpus: Corpus, mode: str) -> np.ndarray:
    texts = corpus.texts()
    if mode == "char":
        texts = (" ".join(text.replace(" ", "\x1f")) for text in texts)
    texts = list(texts)
    frame = daft.from_pydict({"number": np.arange(len(texts), dtype=np.uint32), "text": texts})
    del texts
    signature = minhash(
        col("text"), num_hashes=HASHES, ngram_size=SHINGLE_SIZE[mode], seed=SEED, hash_function="xxhash"
    )
    buckets = (
        frame.select("number", chunk(signature, ROWS).alias("rows"))
        .with_column("band", daft.lit(list(range(BANDS))))
        .explode("rows", "band")
        .groupby("band", "rows")
        .agg(col("number").list_agg().alias("members"))
        .where(list_count(col("members")) > 1)
        .select("members")
        .to_arrow()["members"]
        .combine_chunks()
    )
    members, starts = buckets.flatten().to_numpy(), buckets.offsets.to_numpy()
    return distinct(pairs_of_buckets(members, (starts - starts[0]).astype(np.int64)))


if __name__ == "__main__":
    main(find)
