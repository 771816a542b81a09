"""A second reading of the handbook's page on the signature: prints what `dedup sign --values` prints of files of UTF-8 text."""
import argparse, itertools, json, re, struct
from xxh3 import xxh3_64, xxh3_128

P31, P61, M32 = 2**31 - 1, 2**61 - 1, 2**32 - 1
WHITE_SPACE = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
QUARTERS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]

def normalise(text):
    return WHITE_SPACE.sub(" ", text).strip(" ")

def shingle_hashes(text, k):
    return {xxh3_64(text[at:at + k].encode()) for at in range(max(1, len(text) - k + 1))} if text else set()

def chacha12(seed, purpose):
    key = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", struct.pack("<Q8s16x", seed, purpose))]
    for block in itertools.count():
        start = [*key, block & M32, block >> 32, 0, 0]
        x = list(start)
        for a, b, c, d in 6 * QUARTERS:
            for into, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[into] = (x[into] + x[other]) & M32
                mixed = x[turned] ^ x[into]
                x[turned] = (mixed << by | mixed >> (32 - by)) & M32
        words = [(word + first) & M32 for word, first in zip(x, start)]
        yield from (low | high << 32 for low, high in zip(words[::2], words[1::2]))

def uniform(stream, bits, low):
    return next(value for value in (number >> (64 - bits) for number in stream) if low <= value < 2**bits - 1)

def classic(hashes, bands, rows, seed):
    stream, functions, fibonacci, xs = chacha12(seed, b"classic\0"), [], [1, 0, 1], {(value >> 33) % P31 for value in hashes}
    while len(fibonacci) <= bands: fibonacci.append(sum(fibonacci[-2:]))
    while len(functions) < rows * bands:
        a, a_1, b, b_1 = (uniform(stream, 31, low) for low in (1, 1, 0, 0))
        length = min(bands if bands >= 20 else -(-bands // 3), bands - len(functions) % bands)
        sequence = [(f * a + f_1 * a_1, f * b + f_1 * b_1) for f, f_1 in zip(fibonacci, fibonacci[1:])][:length]
        functions += sequence if all(a % P31 for a, b in sequence) else []
    return [min((a * x + b) % P31 for x in xs) for band in range(bands) for a, b in functions[band::bands]] if xs else []

def fast(hashes, bands, rows, seed):
    stream, slots, size = chacha12(seed, b"fast\0\0\0\0"), {}, bands * rows
    for turn in range(2 * size if hashes else 0):
        a, b, least = uniform(stream, 61, 1), uniform(stream, 61, 0), {}
        for value in ((a * x + b) % P61 for x in hashes):
            slot = (value >> 29) * size >> 32 if turn < size else turn - size
            least[slot] = min(value, least.get(slot, value))
        slots = {**least, **slots}
    return [slots[slot] & M32 for slot in range(size)] if hashes else []

def sign(name, text, k=9, bands=20, rows=5, kind="fast", seed=42):
    hashes = shingle_hashes(text := normalise(text), k)
    return record(name, text, hashes, {"classic": classic, "fast": fast}[kind](hashes, bands, rows, seed), rows)

def record(name, text, hashes, values, rows):
    bands_of = [struct.pack(f"<{rows}I", *values[at:at + rows]) for at in range(0, len(values), rows)]
    return {"id": name, "shingles": len(hashes), "text_hash": f"{xxh3_128(text.encode()):032x}" if hashes else None,
            "keys": [f"{xxh3_64(band, number):016x}" for number, band in enumerate(bands_of)], "signature": values}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--signature", default="fast", choices=["fast", "classic"])
    for flag, default in (("--k", 9), ("--bands", 20), ("--rows", 5), ("--seed", 42)):
        parser.add_argument(flag, type=int, default=default)
    parser.add_argument("files", nargs="+")
    flags = parser.parse_args()
    for file in flags.files:
        with open(file, encoding="utf-8-sig", newline="") as text:
            signed = sign(file, text.read(), flags.k, flags.bands, flags.rows, flags.signature, flags.seed)
            print(json.dumps(signed, separators=(",", ":"), ensure_ascii=False))
