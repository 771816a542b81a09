"""Shingles hashed with numpy: the fastest shingler that we could write in Python, many documents at a time.

A shingler takes texts that are all ASCII or all not, and returns 64-bit hashes of all their shingles, one text's after
another's, and where each text's begin, and one end more. The hashes lie in memory that the next call uses again, since
to have fresh pages mapped for them takes longer than to compute them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

CHARACTERS, WORDS = 9, 5
SPACE = 32
# The arrays made of so many characters stay in the cache, and calls cost little beside them.
CHARACTERS_A_BATCH = 1 << 15
# The white space of ASCII. What else `str.split` takes for it has no such property in Unicode.
TO_SPACES = bytes(SPACE if 9 <= byte <= 13 else byte for byte in range(256))
# Odd constants without structure (from the digits of pi).
MIX = np.array(
    [0x243F6A8885A308D3, 0xA4093822299F31D1, 0x452821E638D01377, 0x3F84D5B5B5470917, 0x9216D5D98979FB1B,
     0xB8E1AFED6A267E97], dtype=np.uint64)  # fmt: skip

Shingles = tuple[np.ndarray, np.ndarray]


def batches(texts: Iterator[str]) -> Iterator[tuple[list[int], list[str]]]:
    """The texts in batches, ASCII and other texts apart, with their numbers."""
    open_batches: dict[bool, tuple[list[int], list[str]]] = {True: ([], []), False: ([], [])}
    sizes = {True: 0, False: 0}
    for number, text in enumerate(texts):
        ascii = text.isascii()
        numbers, members = open_batches[ascii]
        numbers.append(number)
        members.append(text)
        sizes[ascii] += len(text)
        if sizes[ascii] >= CHARACTERS_A_BATCH:
            yield numbers, members
            open_batches[ascii], sizes[ascii] = ([], []), 0
    yield from (batch for batch in open_batches.values() if batch[0])


def collapse(text: str) -> str:
    return " ".join(text.split())


class _Scratch:
    """Two arrays that grow with the longest batch."""

    def __init__(self) -> None:
        self.arrays = np.empty((2, 0), dtype=np.uint64)

    def get(self, count: int) -> np.ndarray:
        if count > self.arrays.shape[1]:
            self.arrays = np.empty((2, 2 * count), dtype=np.uint64)
        return self.arrays[:, :count]


_scratch = _Scratch()


def mix(hashes: np.ndarray, shifted: np.ndarray | None = None) -> np.ndarray:
    """Spreads hashes over all bits, in place; `shifted` is memory for it."""
    hashes ^= np.right_shift(hashes, np.uint64(32), out=shifted)
    hashes *= MIX[-1]
    hashes ^= np.right_shift(hashes, np.uint64(29), out=shifted)
    return hashes


def characters(texts: list[str]) -> Shingles:
    """Shingles of 9 characters, white space collapsed."""
    if not all(map(str.isascii, texts)):
        return collapsed_characters([collapse(text) for text in texts])
    data, starts = _collapse_ascii(texts)
    if np.diff(starts).min() <= CHARACTERS:  # counts the space behind
        return collapsed_characters([collapse(text) for text in texts])
    return _within(_hash_ascii(data[:-1]), starts, CHARACTERS)


def collapsed_characters(texts: list[str]) -> Shingles:
    """As `characters`, of texts whose white space is collapsed."""
    texts = [text if len(text) >= CHARACTERS else text.ljust(CHARACTERS, "\0") for text in texts]
    joined = "".join(texts)
    if joined.isascii():
        hashes = _hash_ascii(np.frombuffer(joined.encode("ascii"), dtype=np.uint8))
    else:
        hashes = _hash_wide(np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64))
    return _within(hashes, _starts(map(len, texts), len(texts)), CHARACTERS - 1)


def _collapse_ascii(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """ASCII texts with white space collapsed and a space behind each, and where each begins, and one end more.

    Four times as fast as splitting and joining each text.
    """
    joined = " ".join(["", *texts, ""]).encode("ascii").translate(TO_SPACES)
    data = np.frombuffer(joined, dtype=np.uint8)
    spaces = data == SPACE
    # A space goes when one stands before it, and so does the first of all: a text's last one is its separator.
    keep = np.zeros(len(data), dtype=bool)
    np.logical_and(spaces[1:], spaces[:-1], out=keep[1:])
    np.logical_not(keep[1:], out=keep[1:])
    starts = 1 + np.concatenate(([0], np.cumsum([1 + len(text) for text in texts])))
    kept = np.add.reduceat(keep, starts[:-1], dtype=np.int64)
    return data[keep], np.concatenate(([0], np.cumsum(kept)))


def _hash_ascii(data: np.ndarray) -> np.ndarray:
    windows = len(data) - CHARACTERS + 1
    hashes, ninth = _scratch.get(windows)
    # Eight bytes at each place as one integer, and the ninth.
    np.multiply(np.ndarray(windows, dtype="<u8", buffer=data, strides=(1,)), MIX[0], out=hashes)
    hashes += np.multiply(data[CHARACTERS - 1 :], MIX[1], out=ninth)
    return mix(hashes, ninth)


def _hash_wide(data: np.ndarray) -> np.ndarray:
    """The same hash of a shingle that is ASCII, and the higher bits of the characters mixed in."""
    windows = len(data) - CHARACTERS + 1
    low, high = data & np.uint64(255), data >> np.uint64(8)
    hashes = _eight(low, np.uint64(256))[:windows] * MIX[0] + low[CHARACTERS - 1 :] * MIX[1]
    hashes += _eight(high, MIX[2])[:windows] + high[CHARACTERS - 1 :] * MIX[3]
    return mix(hashes)


def _eight(values: np.ndarray, base: np.uint64) -> np.ndarray:
    """At each place, the polynomial in `base` of the eight values from there: of pairs, of pairs of those, and again."""
    base = np.array([base])  # arrays wrap around in silence
    for step in (1, 2, 4):
        values = values[:-step] + values[step:] * base
        base = base * base
    return values


def _starts(lengths: Iterator[int], count: int) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(np.fromiter(lengths, dtype=np.int64, count=count))))


def _within(hashes: np.ndarray, starts: np.ndarray, across: int) -> Shingles:
    """The hashes of windows over texts that begin at `starts`, the last `across` of each text but the last taken back.

    These reach into the next text. They become repetitions of their text's first shingle, which changes no set; that is
    cheaper than taking them out.
    """
    for place in range(1, across + 1):
        hashes[starts[1:-1] - place] = hashes[starts[:-2]]
    return hashes, np.append(starts[:-1], len(hashes)).astype(np.uint64)


def words(texts: list[str]) -> Shingles:
    """Shingles of 5 words between white space.

    The hash of a shingle is the polynomial of its bytes: a difference of two running sums, moved to where it begins.
    """
    if all(map(str.isascii, texts)):
        data, text_starts = _collapse_ascii(texts)
    else:
        encoded = [collapse(text).encode() + b" " for text in texts]
        data, text_starts = np.frombuffer(b"".join(encoded), dtype=np.uint8), _starts(map(len, encoded), len(encoded))
    powers, inverses = _powers(len(data))
    sums, terms = _scratch.get(len(data))
    np.cumsum(np.multiply(data, powers, out=terms), out=sums)
    ends = np.flatnonzero(data == SPACE)
    starts = np.concatenate(([0], ends[:-1] + 1))
    # The first word of each text, and for each word the last of its text; a text of fewer than 5 words is one shingle.
    first = np.searchsorted(starts, text_starts)
    counts = np.diff(first)
    last = np.repeat(first[1:] - 1, counts)
    place = np.arange(len(starts))
    until = np.minimum(place + WORDS - 1, last)
    begin = starts[place]
    hashes = sums[ends[until] - 1] - sums[begin] + terms[begin]
    hashes *= inverses[begin]
    # As in `_within`: what would reach into the next text repeats the first shingle.
    firsts = np.repeat(first[:-1], counts)
    across = (place + WORDS - 1 > last) & (place != firsts)
    hashes[across] = hashes[firsts[across]]
    return mix(hashes), first.astype(np.uint64)


def _powers(count: int) -> Shingles:
    """The powers of an odd number and of its inverse, made once for the longest batch so far."""
    if count > len(_powers.made[0]):
        bases = int(MIX[0]), pow(int(MIX[0]), -1, 1 << 64)
        _powers.made = tuple(np.cumprod(np.full(2 * count, base, dtype=np.uint64)) for base in bases)
    return _powers.made[0][:count], _powers.made[1][:count]


_powers.made = (np.empty(0, dtype=np.uint64),) * 2


def hash_words(texts: list[list[str]]) -> Shingles:
    """Shingles of 5 of the words that each text has been cut into."""
    # A text of fewer words is one shingle: it is filled up with what is no word.
    texts = [words if len(words) >= WORDS else words + [""] * (WORDS - len(words)) for words in texts]
    starts = _starts(map(len, texts), len(texts))
    # Python's own hash of a string is 64 bits, in C, and the same in all forked processes.
    data = np.fromiter(map(hash, chain.from_iterable(texts)), dtype=np.int64, count=int(starts[-1])).view(np.uint64)
    windows = len(data) - WORDS + 1
    hashes = np.zeros(windows, dtype=np.uint64)
    for place in range(WORDS):
        hashes += data[place : place + windows] * MIX[place]
    return _within(mix(hashes), starts, WORDS - 1)
