"""Signatures of datasketch (github.com/ekzhu/datasketch), without it: the same numbers for the same tokens, and their band keys.

`scheme="legacy"` is the only one before datasketch 2.0; "affine32" is the default since. See the handbook's page on the signature.
"""
import hashlib, json, struct, sys
from random import Random
from xxh3 import xxh3_64

P61, M64, M32 = 2**61 - 1, 2**64 - 1, 2**32 - 1


def random_state(seed):
    """The 32-bit numbers of numpy.random.RandomState(seed): MT19937 with init_genrand."""
    state = [seed & M32]
    for i in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + i & M32)
    random = Random()
    random.setstate((3, (*state, 624), None))
    return lambda: random.getrandbits(32)


def randint(draw, low, high):
    """numpy's randint(low, high) of 64 bits: the high word comes first; what is too large is drawn again."""
    most = high - 1 - low
    mask = (1 << most.bit_length()) - 1
    while True:
        value = (draw() << 32 | draw()) & mask
        if value <= most:
            return low + value


def legacy(tokens, num_perm=128, seed=1):
    """(a x + b mod 2^64) mod 2^61 - 1, of which the low 32 bits; x is the start of SHA-1. The product wraps before the mod."""
    draw = random_state(seed)
    functions = [(randint(draw, 1, P61), randint(draw, 0, P61)) for _ in range(num_perm)]
    xs = [x for x in map(sha1_32, tokens)]
    return [min(((a * x + b & M64) % P61 & M32 for x in xs), default=M32) for a, b in functions]


def affine32(tokens, num_perm=128, seed=1):
    """a x + b mod 2^32 with an odd a; x is the start of SHA-1, mixed by the finalizer of MurmurHash3."""
    draw = random_state(seed)
    # 32-bit numbers take one draw each; their ranges are powers of two, so that none is drawn again.
    a = [2 * (draw() & M32 >> 1) + 1 for _ in range(num_perm)]
    b = [draw() for _ in range(num_perm)]
    xs = [fmix32(sha1_32(token)) for token in tokens]
    return [min((a * x + b & M32 for x in xs), default=M32) for a, b in zip(a, b)]


def sha1_32(token):
    return struct.unpack("<I", hashlib.sha1(token).digest()[:4])[0]


def fmix32(x):
    x = (x ^ x >> 16) * 0x85EBCA6B & M32
    x = (x ^ x >> 13) * 0xC2B2AE35 & M32
    return x ^ x >> 16


def band_keys(values, bands, rows):
    """The keys that `dedup` would give to these values: equal bands have equal keys, whatever the values come from."""
    parts = (values[band * rows:(band + 1) * rows] for band in range(bands))
    return [f"{xxh3_64(struct.pack(f'<{rows}I', *part), band):016x}" for band, part in enumerate(parts)]


if __name__ == "__main__":
    # Lines of {"id": …, "tokens": [...]} in, lines of {"id": …, "keys": [...], "signature": [...]} out: 20 bands of 5 rows of 128.
    scheme = {"legacy": legacy, "affine32": affine32}[sys.argv[1] if len(sys.argv) > 1 else "legacy"]
    for line in sys.stdin:
        record = json.loads(line)
        values = scheme([token.encode() for token in record["tokens"]])
        print(json.dumps({"id": record["id"], "keys": band_keys(values, 20, 5), "signature": values}))
