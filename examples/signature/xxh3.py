"""XXH3 of 64 and 128 bits with a seed, by its public specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md).

The standard library of Python has no XXH3. This is the plain definition, one function for each range of lengths, far slower than
the packages that there are.
"""
import struct

M64, M128 = 2**64 - 1, 2**128 - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def r32(data, at):
    return int.from_bytes(data[at:at + 4], "little")


def r64(data, at):
    return int.from_bytes(data[at:at + 8], "little")


def swap(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def fold(a, b):
    """The halves of a product of 128 bits, one exclusive-or the other."""
    product = (a & M64) * (b & M64)
    return (product & M64) ^ (product >> 64)


def avalanche(h):
    h = (h ^ h >> 37) * MX1 & M64
    return h ^ h >> 32


def avalanche_64(h):
    h = (h ^ h >> 33) * P64_2 & M64
    h = (h ^ h >> 29) * P64_3 & M64
    return h ^ h >> 32


def mix(data, at, secret_at, seed):
    low, high = r64(SECRET, secret_at) + seed, r64(SECRET, secret_at + 8) - seed
    return fold(r64(data, at) ^ (low & M64), r64(data, at + 8) ^ (high & M64))


def long_stripes(data, seed):
    """The eight sums of an input of more than 240 bytes, and the secret that the seed makes."""
    secret = b"".join(struct.pack("<2Q", (r64(SECRET, at) + seed) & M64, (r64(SECRET, at + 8) - seed) & M64) for at in range(0, 192, 16))
    sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]

    def add(at, secret_at):
        for lane in range(8):
            value = r64(data, at + 8 * lane)
            key = value ^ r64(secret, secret_at + 8 * lane)
            sums[lane ^ 1] = (sums[lane ^ 1] + value) & M64
            sums[lane] = (sums[lane] + (key & 0xFFFFFFFF) * (key >> 32)) & M64

    stripes = (len(data) - 1) // 64
    for stripe in range(stripes):
        add(64 * stripe, 8 * (stripe % 16))
        if stripe % 16 == 15 and 64 * (stripe + 1) <= (len(data) - 1) // 1024 * 1024:
            for lane in range(8):
                scrambled = sums[lane] ^ sums[lane] >> 47 ^ r64(secret, 128 + 8 * lane)
                sums[lane] = scrambled * P32_1 & M64
    add(len(data) - 64, 121)
    return sums, secret


def merge(sums, secret, at, start):
    folds = (fold(sums[2 * i] ^ r64(secret, at + 16 * i), sums[2 * i + 1] ^ r64(secret, at + 16 * i + 8)) for i in range(4))
    return avalanche((start + sum(folds)) & M64)


def xxh3_64(data, seed=0):
    size = len(data)
    if size == 0:
        return avalanche_64(seed ^ r64(SECRET, 56) ^ r64(SECRET, 64))
    if size <= 3:
        combined = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return avalanche_64(combined ^ ((r32(SECRET, 0) ^ r32(SECRET, 4)) + seed & M64))
    if size <= 8:
        seed ^= swap(seed & 0xFFFFFFFF, 4) << 32
        flip = (r64(SECRET, 8) ^ r64(SECRET, 16)) - seed & M64
        h = r32(data, size - 4) + (r32(data, 0) << 32) ^ flip
        h ^= (h << 49 | h >> 15) & M64 ^ (h << 24 | h >> 40) & M64
        h = h * MX2 & M64
        h = (h ^ (h >> 35) + size) * MX2 & M64
        return h ^ h >> 28
    if size <= 16:
        low = r64(data, 0) ^ ((r64(SECRET, 24) ^ r64(SECRET, 32)) + seed & M64)
        high = r64(data, size - 8) ^ ((r64(SECRET, 40) ^ r64(SECRET, 48)) - seed & M64)
        return avalanche(size + swap(low, 8) + high + fold(low, high) & M64)
    if size <= 128:
        h = size * P64_1
        for i in range((size - 1) // 32 + 1):
            h += mix(data, 16 * i, 32 * i, seed) + mix(data, size - 16 * (i + 1), 32 * i + 16, seed)
        return avalanche(h & M64)
    if size <= 240:
        h = avalanche(size * P64_1 + sum(mix(data, 16 * i, 16 * i, seed) for i in range(8)) & M64)
        h += sum(mix(data, 16 * i, 16 * (i - 8) + 3, seed) for i in range(8, size // 16))
        return avalanche(h + mix(data, size - 16, 119, seed) & M64)
    sums, secret = long_stripes(data, seed)
    return merge(sums, secret, 11, size * P64_1)


def xxh3_128(data, seed=0):
    size = len(data)
    if size == 0:
        low, high = r64(SECRET, 64) ^ r64(SECRET, 72), r64(SECRET, 80) ^ r64(SECRET, 88)
        return avalanche_64(seed ^ low) | avalanche_64(seed ^ high) << 64
    if size <= 3:
        combined = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        turned = swap(combined, 4)
        turned = (turned << 13 | turned >> 19) & 0xFFFFFFFF
        low = combined ^ ((r32(SECRET, 0) ^ r32(SECRET, 4)) + seed & M64)
        high = turned ^ ((r32(SECRET, 8) ^ r32(SECRET, 12)) - seed & M64)
        return avalanche_64(low) | avalanche_64(high) << 64
    if size <= 8:
        seed ^= swap(seed & 0xFFFFFFFF, 4) << 32
        keyed = r32(data, 0) + (r32(data, size - 4) << 32) ^ ((r64(SECRET, 16) ^ r64(SECRET, 24)) + seed & M64)
        product = keyed * (P64_1 + (size << 2) & M64)
        low, high = product & M64, product >> 64
        high = high + (low << 1) & M64
        low ^= high >> 3
        low = (low ^ low >> 35) * MX2 & M64
        return low ^ low >> 28 | avalanche(high) << 64
    if size <= 16:
        low, high = r64(data, 0), r64(data, size - 8)
        product = (low ^ high ^ ((r64(SECRET, 32) ^ r64(SECRET, 40)) - seed & M64)) * P64_1
        m_low, m_high = (product & M64) + (size - 1 << 54) & M64, product >> 64
        high ^= (r64(SECRET, 48) ^ r64(SECRET, 56)) + seed & M64
        m_high = m_high + high + (high & 0xFFFFFFFF) * (P32_2 - 1) & M64
        product = (m_low ^ swap(m_high, 8)) * P64_2
        return avalanche(product & M64) | avalanche((product >> 64) + m_high * P64_2 & M64) << 64
    if size <= 240:
        h = [size * P64_1, 0]

        def mix_32(first, second, secret_at, seed):
            h[0] = (h[0] + mix(data, first, secret_at, seed) ^ r64(data, second) + r64(data, second + 8)) & M64
            h[1] = (h[1] + mix(data, second, secret_at + 16, seed) ^ r64(data, first) + r64(data, first + 8)) & M64

        if size <= 128:
            for i in reversed(range((size - 1) // 32 + 1)):
                mix_32(16 * i, size - 16 * (i + 1), 32 * i, seed)
        else:
            for i in range(4):
                mix_32(32 * i, 32 * i + 16, 32 * i, seed)
            h[:] = map(avalanche, h)
            for i in range(4, size // 32):
                mix_32(32 * i, 32 * i + 16, 3 + 32 * (i - 4), seed)
            mix_32(size - 16, size - 32, 103, -seed)
        high = h[0] * P64_1 + h[1] * P64_4 + (size - seed) * P64_2
        return avalanche(h[0] + h[1] & M64) | (-avalanche(high & M64) & M64) << 64
    sums, secret = long_stripes(data, seed)
    high = merge(sums, secret, 192 - 64 - 11, ~(size * P64_2) & M64)
    return merge(sums, secret, 11, size * P64_1) | high << 64
