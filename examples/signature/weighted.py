"""A second reading of weighted signatures: prints what `dedup sign --values --weights TABLE` prints of files of UTF-8 text."""
import argparse, json
from signature import chacha12, normalise, record
from xxh3 import xxh3_64

M32, M64 = 2**32 - 1, 2**64 - 1

def log2(number):
    """The logarithm of a whole number in units of 2^-52, rounded down."""
    whole = number.bit_length() - 1
    mantissa, fraction = (number << 63) >> whole, 0
    for _ in range(52):
        mantissa = mantissa * mantissa >> 63
        fraction = fraction << 1 | mantissa >> 64
        mantissa >>= mantissa >> 64
    return whole << 52 | fraction

T = [log2(2048 + j) - (11 << 52) for j in range(2049)]

def exponential(number):
    number = number or 1
    zeros = 64 - number.bit_length()
    mantissa = number << zeros
    i, d = mantissa >> 53 & 1023, mantissa >> 21 & M32
    first, middle, last = T[2 * i:2 * i + 3]
    bend = 2 * (2 * middle - first - last) * (d * (2**32 - d) >> 32) >> 32
    return ((zeros + 1) << 52) - first - ((last - first) * d >> 32) - bend

def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
    return z ^ z >> 31

def numbers(state):
    while True:
        state = state + 0x9E3779B97F4A7C15 & M64
        yield mix(state)

def weighted(weights, slots, seed):
    """`weights`: what each shingle hash weighs, in units of 2^-16."""
    key, points = next(chacha12(seed, b"weighted")), [(float("inf"), M32)] * slots
    for value, weight in weights.items():
        random, time = numbers(mix(value ^ key)), 0.0
        while (time := time + float(exponential(next(random))) / weight) <= max(points)[0]:
            point = next(random)
            slot = (point >> 32) * slots >> 32
            points[slot] = min(points[slot], (time, point & M32))
    return [value for _, value in points] if weights else []

def units(weight):
    return max(1, round(float(weight) * 65536))

def table(path):
    with open(path, encoding="utf-8") as lines:
        tokens = (line.rstrip("\n").rsplit("\t", 1) for line in lines if line.strip())
        return {token: units(weight) for token, weight in tokens}

def sign(name, text, weight_of, k=9, bands=20, rows=5, seed=42):
    text = normalise(text)
    shingles = {text[at:at + k] for at in range(max(1, len(text) - k + 1))} if text else set()
    weights = {xxh3_64(shingle.encode()): sum(weight_of.get(c, 65536) for c in shingle) for shingle in shingles}
    return record(name, text, weights, weighted(weights, bands * rows, seed), rows)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, help="lines of a character, a tab and its weight; others weigh 1")
    for flag, default in (("--k", 9), ("--bands", 20), ("--rows", 5), ("--seed", 42)):
        parser.add_argument(flag, type=int, default=default)
    parser.add_argument("files", nargs="+")
    flags = parser.parse_args()
    weight_of = table(flags.weights)
    for file in flags.files:
        with open(file, encoding="utf-8-sig", newline="") as text:
            signed = sign(file, text.read(), weight_of, flags.k, flags.bands, flags.rows, flags.seed)
        print(json.dumps(signed, separators=(",", ":"), ensure_ascii=False))
