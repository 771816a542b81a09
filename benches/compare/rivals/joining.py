"""From equal bands, buckets or neighbours to pairs: arrays of `a << 32 | b` with a < b, sorted, each pair once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
from shingling import MIX, mix

HASHES, BANDS, ROWS = 100, 20, 5


def pairs_of_buckets(members: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """All pairs within buckets, `a << 32 | b` with a < b; bucket i is `members[starts[i]:starts[i + 1]]`."""
    ends = np.repeat(starts[1:], np.diff(starts))
    partners = ends - np.arange(len(members)) - 1
    first = np.repeat(np.arange(len(members)), partners)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(partners) - partners, partners)
    a, b = members[first], members[first + 1 + offsets]
    return (np.minimum(a, b).astype(np.uint64) << np.uint64(32)) | np.maximum(a, b).astype(np.uint64)


def band_keys(signatures: np.ndarray) -> np.ndarray:
    """For each row of HASHES values a 64-bit hash of each of its bands."""
    rows = signatures.astype(np.uint64).reshape(len(signatures), BANDS, ROWS)
    keys = np.zeros((len(signatures), BANDS), dtype=np.uint64)
    for row in range(ROWS):
        keys = mix((keys + rows[:, :, row]) * MIX[row])
    return keys


def equal_bands(keys: np.ndarray) -> np.ndarray:
    """The pairs of documents with an equal key in any band, as many bands at a time as there are cores."""
    found: list[np.ndarray] = []
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as threads:
        for band in range(0, BANDS, cores):
            found += threads.map(pairs_of_band, keys.T[band : band + cores])
            if sum(map(len, found)) > 20_000_000:
                found = [distinct(np.concatenate(found))]
    return distinct(np.concatenate(found))


def pairs_of_band(keys: np.ndarray) -> np.ndarray:
    """A document's number takes the lowest bits of its key: a plain sort is vectorised and lets other threads run."""
    bits = max(1, (len(keys) - 1).bit_length())
    numbers = np.uint64((1 << bits) - 1)
    keys = np.sort((keys & ~numbers) | np.arange(len(keys), dtype=np.uint64))
    equal = (keys[1:] ^ keys[:-1]) <= numbers
    # Buckets of one are most of them, and make no pairs.
    shared = np.append(equal, False)
    shared[1:] |= equal
    is_first = np.insert(~equal, 0, True)[shared]
    return pairs_of_buckets((keys[shared] & numbers).astype(np.int64), np.flatnonzero(np.append(is_first, True)))


def distinct(pairs: np.ndarray) -> np.ndarray:
    """The pairs sorted, each once: a plain sort is vectorised, and twenty times as fast as `np.unique`."""
    pairs = np.sort(pairs)
    keep = np.ones(len(pairs), dtype=bool)
    keep[1:] = pairs[1:] != pairs[:-1]
    return pairs[keep]


def pairs_of_neighbours(neighbours: list[list[int]]) -> np.ndarray:
    """The pairs of documents and what was found for each of them, each once."""
    counts = np.fromiter(map(len, neighbours), dtype=np.int64, count=len(neighbours))
    flat = np.fromiter(chain.from_iterable(neighbours), dtype=np.int64, count=int(counts.sum()))
    a, b = np.repeat(np.arange(len(counts)), counts).astype(np.uint64), flat.astype(np.uint64)
    later = a < b
    return distinct((a[later] << np.uint64(32)) | b[later])
