"""Inputs of the kernels that are more than random numbers, and what the kernels compute,
written with NumPy and without a look at the C: utils/kernels/kernels.py compares the native code
with it. A reference takes the packets and the memory and gives an array per packet that is
sent. State that a kernel keeps from packet to packet is a variable of its reference.
"""
import hashlib
import math
import re
import struct
import zlib

import numpy as np

F, D, I, U = "<f4", "<f8", "<i4", "<u4"


def csr(rng):
    """32 row lengths, then column and value of each element in turn."""
    lengths = [rng.choice([0, 1, 2, 3, 5, 9]) for _ in range(32)]
    packet = struct.pack("<32I", *lengths)
    for _ in range(sum(lengths)):
        packet += struct.pack("<If", rng.randrange(64), rng.uniform(-1, 1))
    return packet


def text(rng, size=500):
    words = ["switch", "x27", "42", '"a b 7"', "7up", "  ", "\n", ", ", '"', "end.", " "]
    result = ""
    while len(result) < size:
        result += rng.choice(words)
    return result[:size].encode()


def crc_words(rng):
    """The table of CRC-32, taken out of zlib's checksums of single bytes:
    ~crc(b) = table[255 ^ b] ^ 0x00ffffff."""
    table = [zlib.crc32(bytes([255 ^ b])) ^ 0xFF000000 for b in range(256)]
    return struct.pack("<256I", *table)


def sha_block(rng):
    """A message of up to 55 bytes, padded, as words."""
    message = rng.randbytes(rng.randrange(56))
    block = message + b"\x80" + bytes(55 - len(message)) + struct.pack(">Q", 8 * len(message))
    return struct.pack("<16I", *struct.unpack(">16I", block))


def sha_words(rng):
    """State and constants of SHA-256: 32 bits of the fractions of roots of primes."""
    primes = [p for p in range(2, 312) if all(p % q for q in range(2, p))]
    square = [math.isqrt(p << 64) & 0xFFFFFFFF for p in primes[:8]]
    cube = []
    for p in primes:
        root = round((p << 96) ** (1 / 3))
        while root**3 > p << 96:
            root -= 1
        while (root + 1)**3 <= p << 96:
            root += 1
        cube.append(root & 0xFFFFFFFF)
    return struct.pack("<72I", *square, *cube)


GENERATORS = {"csr": csr, "text": text, "crctable": crc_words, "shablock": sha_block, "shawords": sha_words}


def each(function, dtype):
    """A reference of a kernel without state: function(array of the packet, memory)."""
    return lambda packets, mem: [function(np.frombuffer(p, dtype), mem) for p in packets]


def array(mem, dtype, count=None, offset=0):
    size = np.dtype(dtype).itemsize
    return np.frombuffer(mem[offset * size:], dtype, -1 if count is None else count)


def fir(x, mem):
    return np.convolve(x.astype(D), array(mem, F, 16)[::-1].astype(D), "valid").astype(F)


def conv1d(x, mem):
    padded = np.concatenate([np.zeros(4, np.int64), x])
    sums = np.convolve(padded, [-3, 12, 17, 12, -3], "valid") + 16 >> 5
    return np.clip(sums, -32768, 32767).astype("<i2")


def windows(image, height, width):
    """[y, x, row, column]: the image moved by (y, x)."""
    rows, columns = image.shape[0] - height + 1, image.shape[1] - width + 1
    return np.array([[image[y:y + rows, x:x + columns] for x in range(width)] for y in range(height)])


def conv2d(x, mem):
    image = windows(x.reshape(18, 18).astype(np.int64), 3, 3)
    return np.einsum("yx,yxrc->rc", array(mem, I, 9).reshape(3, 3), image).astype(I)


def matvec(x, mem):
    return array(mem, D, 1024).reshape(32, 32) @ x


def banded(x, mem):
    bands = array(mem, F, 640).reshape(5, 128).astype(D)
    return sum(bands[d] * x[d:d + 128] for d in range(5)).astype(F)


def gemm(packets, mem):
    b, c, sent = array(mem, F, 256).reshape(16, 16).astype(D), np.zeros((8, 16)), []
    for p in packets:
        c = c + np.frombuffer(p, F).reshape(8, 16) @ b
        sent.append(c.astype(F))
    return sent


def bicg(x, mem):
    x = x.astype(D)
    p, r, a = x[:32], x[32:64], x[64:].reshape(32, 32)
    return np.concatenate([a.T @ r, a @ p]).astype(F)


def mvt(packets, mem):
    x1, x2, sent = 0, 0, []
    for p in packets:
        x = np.frombuffer(p, I).astype(np.int64)
        a = x[:256].reshape(16, 16)
        x1, x2 = x1 + a @ x[256:272], x2 + a.T @ x[272:]
        sent.append(np.concatenate([x1, x2]).astype(I))
    return sent


def fft(x, mem):
    z = x[:128] + 1j * x[128:]
    turned = z[64:] * (array(mem, F, 64) + 1j * array(mem, F, 64, 64))
    y = np.concatenate([z[:64] + turned, z[:64] - turned])
    return np.concatenate([y.real, y.imag]).astype(F)


def histogram(packets, mem):
    bins, sent = np.zeros(256, np.int64), []
    for p in packets:
        bins = bins + np.bincount(np.frombuffer(p, np.uint8), minlength=256)
        sent.append(bins.astype(U))
    return sent


def relu(x, mem):
    soft = np.sign(x[256:]) * np.maximum(np.abs(x[256:]) - array(mem, F, 1), 0)
    return np.concatenate([np.maximum(x[:256], 0), soft]).astype(F)


def softmax(x, mem):
    e = np.exp(x.astype(D) - x.max())
    return np.append(e, e.sum()).astype(F)


def argmax(x, mem):
    return np.array([np.argmax(x), x.max().view(U)], U)


def spmv(packets, mem):
    x, sent = array(mem, F, 64).astype(D), []
    for p in packets:
        words = np.frombuffer(p, U)
        row = np.repeat(np.arange(32), words[:32])
        columns, values = words[32::2], words[33::2].view(F)
        sent.append(np.bincount(row, x[columns] * values, 32).astype(F))
    return sent


def classify(x, mem):
    kinds = [3 if 9 <= c <= 13 else 4 if c < 32 else 3 if c == 32 else 2 if chr(c).isdigit() else
             1 if chr(c).isalpha() else 5 if c < 127 else 6 for c in range(127)] + [6] * 129
    return np.array(kinds, np.uint8)[x]


def crc(packets, mem):
    return [np.array([zlib.crc32(p)], U) for p in packets]


def stencil5(x, mem):
    a = x.reshape(18, 18).astype(D)
    return (0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])).astype(F)


def stencil9(x, mem):
    padded = np.pad(x.reshape(16, 32), ((2, 0), (2, 0)))
    weight = np.outer([1, 2, 1], [1, 2, 1])
    return (np.einsum("yx,yxrc->rc", weight, windows(padded, 3, 3)) >> 4).astype(I)


def pagerank(packets, mem):
    degree, rank, sent = array(mem, U, 64), np.zeros(64, np.int64), []
    for p in packets:
        edges = np.frombuffer(p, U).reshape(-1, 2)
        share = (rank + 65536) // degree
        following = np.zeros(64, np.int64)
        np.add.at(following, edges[:, 1], share[edges[:, 0]])
        rank = 9830 + (following * 217 >> 8)
        sent.append(rank.astype(U))
    return sent


def kmeans(x, mem):
    points, centres = x.reshape(-1, 1, 4), array(mem, F, 32).reshape(1, 8, 4)
    return ((points - centres)**2).sum(2).argmin(1).astype(U)


def quantise(x, mem):
    scaled = x * array(mem, F, 1)
    return np.clip(np.trunc(scaled + np.copysign(np.float32(0.5), scaled)), -127, 127).astype(np.int8)


def iir(x, mem):
    y = np.convolve(x.astype(D), [0.2, 0.4, 0.2])[:len(x)]
    impulse = [1.0, 0.3]  # of the recursive part; it has died away after 64 samples
    while len(impulse) < 64:
        impulse.append(0.3 * impulse[-1] - 0.25 * impulse[-2])
    return np.convolve(y, impulse)[:len(x)].astype(F)


def corner(x, mem):
    a = x.reshape(20, 20).astype(np.int64)
    dx, dy = a[1:-1, 2:] - a[1:-1, :-2], a[2:, 1:-1] - a[:-2, 1:-1]
    xx, xy, yy = (windows(p >> 6, 3, 3).sum((0, 1)) for p in (dx * dx, dx * dy, dy * dy))
    return (xx * yy - xy * xy - ((xx + yy)**2 >> 4)).astype(I)


def find(x, mem):
    hits = np.flatnonzero(x > array(mem, U, 1))
    return np.array([hits[0] if len(hits) else len(x)], U)


def copy_until(packets, mem):
    words = [np.frombuffer(p, U) for p in packets]
    ends = [np.flatnonzero(w == 0) for w in words]
    sent = [w[:e[0]] if len(e) else w for w, e in zip(words, ends)]
    return [w * 3 + 1 for w in sent if len(w)]


def checksum(x, mem):
    total = int(x.astype(np.int64).sum())
    return np.array([0xFFFF - (total % 0xFFFF or (0xFFFF if total else 0))], "<u2")


def median(x, mem):
    padded = np.concatenate([np.zeros(2, x.dtype), x])
    return np.median(windows(padded.reshape(1, -1), 1, 3).reshape(3, -1), 0).astype("<i2")


def delta(x, mem):
    d = np.diff(x.astype(np.int64), prepend=0)
    return np.where(d >= 0, 2 * d, -2 * d - 1).astype(U)


def words_hash(x, mem):
    h = x.astype(np.uint64) ^ int(array(mem, U, 1)[0])
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        h = (h ^ h >> np.uint64(shift)) * np.uint64(factor) & np.uint64(0xFFFFFFFF)
    return (h ^ h >> np.uint64(16)).astype(U)


def blend(x, mem):
    alpha, other = int(mem[0]), array(mem, np.uint8, 500, 1).astype(np.int64)
    return np.round((alpha * x.astype(np.int64) + (255 - alpha) * other) / 255).astype(np.uint8)


def mix(packets, mem):
    total, sent = array(mem, "<i2", 400).astype(np.int64), []
    for p in packets:
        total = np.clip(total + np.frombuffer(p, "<i2"), -32768, 32767)
        sent.append(total.astype("<i2"))
    return sent


def dequantise(x, mem):
    scale, zero = array(mem, F, 128).astype(D).reshape(2, 64)
    return ((x.reshape(-1, 64) - zero) * scale).astype(F)


def bounds(x, mem):
    x = x.astype(np.int64)
    return np.array([x.min(), x.max(), x.sum(), (x * x).sum()]).astype(I)


def gemm_rows(x, mem):
    return (array(mem, F, 128).reshape(8, 16).astype(D) @ x.reshape(16, 16)).astype(F)


def dot8(x, mem):
    sums = x.reshape(-1, 64).astype(np.int64) @ array(mem, np.int8, 64)
    return np.clip(sums >> 9, -128, 127).astype(np.int8)


def morton(x, mem):
    code = np.zeros(len(x), np.uint64)
    for bit in range(16):
        for half in range(2):
            one = x.astype(np.uint64) >> np.uint64(16 * half + bit) & np.uint64(1)
            code |= one << np.uint64(2 * bit + half)
    return code.astype(U)


def bitcount(x, mem):
    return np.unpackbits(x.view(np.uint8)).reshape(-1, 64).sum(1).astype(np.uint8)


def sketch(packets, mem):
    rows, sent = np.zeros((4, 64), np.int64), []
    for p in packets:
        estimates = []
        for key in np.frombuffer(p, U):
            at = [int(key) * f % 2**32 // 2**26
                  for f in (2654435761, 2246822519, 3266489917, 668265263)]
            rows[range(4), at] += 1
            estimates.append(rows[range(4), at].min())
        sent.append(np.array(estimates, U))
    return sent


def policer(packets, mem):
    tokens, seen, sent = {}, {}, []
    for p in packets:
        passed = []
        for flow, time, size in np.frombuffer(p, U).reshape(-1, 3).astype(np.int64):
            earned = (time - seen.get(flow % 32, 0)) % 1024 * 2
            have = min(tokens.get(flow % 32, 0) + earned, 6000)
            passed.append(size <= have)
            tokens[flow % 32] = have - size * passed[-1]
            seen[flow % 32] = time
        sent.append(np.array(passed, U))
    return sent


def range_decode(x, mem):
    zero, bits = {}, []
    span, offset, at, context = 2**32 - 1, 0, 0, 1
    for _ in range(400):
        chance = zero.get(context, 1024)
        bound = span // 2048 * chance
        bit = int(offset >= bound)
        if bit:
            span, offset = span - bound, offset - bound
            zero[context] = chance - chance // 32
        else:
            span = bound
            zero[context] = chance + (2048 - chance) // 32
        if span < 2**24:
            span, offset = span * 256, offset * 256 % 2**32 + int(x[at % 256])
            at += 1
        context = 2 * context + bit
        context = context if context < 64 else 1
        bits.append(bit)
    return np.array(bits, np.uint8)


def deblock(x, mem):
    rows = x.reshape(-1, 8).astype(int)
    p1, p0, q0, q1 = rows[:, 2:6].T
    on = (abs(p0 - q0) < 120) & (abs(p1 - p0) < 90) & (abs(q1 - q0) < 90)
    step = np.clip((4 * (q0 - p0) + p1 - q1 + 4) // 8, -12, 12) * on
    rows[:, 3], rows[:, 4] = np.clip(p0 + step, 0, 255), np.clip(q0 - step, 0, 255)
    return rows.astype(np.uint8).ravel()


def aes(x, mem):
    """By the matrix over the field of 256 elements."""
    box, column, sent = array(mem, np.uint8, 256), np.zeros(4, int), []
    double = lambda b: b * 2 ^ (283 if b > 127 else 0)
    for word in x.astype(U).view(np.uint8).reshape(-1, 4):
        v = [int(box[b]) for b in column ^ word]
        column = np.array([double(v[k]) ^ double(v[(k + 1) % 4]) ^ v[(k + 1) % 4] ^ v[(k + 2) % 4]
                           ^ v[(k + 3) % 4] for k in range(4)])
        sent.append(column)
    return np.array(sent, np.uint8).view(U).ravel()


def levenshtein(x, mem):
    """By the recurrence over the whole table."""
    word, table = array(mem, np.uint8, 64), np.zeros((len(x) + 1, 65), int)
    table[0], table[:, 0] = range(65), range(len(x) + 1)
    for i in range(len(x)):
        for j in range(64):
            table[i + 1, j + 1] = min(table[i, j + 1] + 1, table[i + 1, j] + 1, table[i, j] + (x[i] != word[j]))
    return table[1:, 64].astype(U)


def routes(x, mem):
    rules = array(mem, U, 72).astype(np.int64).reshape(24, 3)
    masks = 4095 << rules[:, 0] % 13 & 0xFFFFFFFF
    ports = []
    for address in x.astype(np.int64):
        match = np.flatnonzero((address & masks) == (rules[:, 1] & masks))
        best = max(match, key=lambda r: (masks[r], r), default=None)
        ports.append(0xFFFFFFFF if best is None else rules[best, 2])
    return np.array(ports, U)


def sha256(packets, mem):
    sent = []
    for packet in packets:
        block = struct.pack(">16I", *struct.unpack("<16I", packet))
        message = block[:struct.unpack(">Q", block[56:])[0] // 8]
        sent.append(np.array(struct.unpack(">8I", hashlib.sha256(message).digest()), U))
    return sent


def dct(x, mem):
    """A matrix of cosines; the constants are those of one with an even and an odd half."""
    k, scale = np.arange(8), 2**13 * 2**0.5
    waves = np.rint(scale * np.cos((2 * k + 1) * np.arange(8)[:, None] * np.pi / 16)).astype(np.int64)
    waves[[0, 4]] = np.sign(waves[[0, 4]]) << 13
    return (x.reshape(-1, 8).astype(np.int64) @ waves.T >> 15).astype("<i2")


def gsm_ltp(x, mem):
    x = x.astype(np.int64)
    sums = [int(x[120:] @ x[120 - lag:160 - lag]) for lag in range(40, 121)]
    best = int(np.argmax(sums))
    return np.array([best + 40, sums[best]] if sums[best] > 0 else [40, 0], I)


def huffman(x, mem):
    bits = "".join(f"{word:032b}"[::-1] for word in x) + "0" * 32
    table, at, symbols = array(mem, "<u2", 512), 0, []
    for _ in range(200):
        entry = int(table[int(bits[at:at + 9][::-1], 2)])
        symbols.append(entry & 255)
        at += entry >> 8
    return np.array(symbols, np.uint8)


def iir4(x, mem):
    y = x.astype(D)
    for b0, b1, b2, a1, a2 in array(mem, F, 20).reshape(4, 5).astype(D):
        w1 = w2 = 0.0
        for n, value in enumerate(y):
            w = value - a1 * w1 - a2 * w2
            y[n] = b0 * w + b1 * w1 + b2 * w2
            w1, w2 = w, w1
    return y.astype(F)


def tea(x, mem):
    key = array(mem, U, 4)
    v, w, total = x[0::2].copy(), x[1::2].copy(), 0
    for _ in range(32):
        total = (total + 0x9E3779B9) & 0xFFFFFFFF
        v += ((w << 4) + key[0]) ^ (w + np.uint32(total)) ^ ((w >> 5) + key[1])
        w += ((v << 4) + key[2]) ^ (v + np.uint32(total)) ^ ((v >> 5) + key[3])
    return np.stack([v, w], axis=1)


def mandel(x, mem):
    steps = []
    for real, imaginary in x.reshape(-1, 2):
        a, b, n = np.float32(0), np.float32(0), 0
        while n < 64 and a * a + b * b <= 4:
            a, b, n = a * a - b * b + real, 2 * a * b + imaginary, n + 1
        steps.append(n)
    return np.array(steps, I)


def fft64(x, mem):
    z, w = x[0::2] + 1j * x[1::2], array(mem, F, 64)
    w, half = w[0::2] + 1j * w[1::2], 1
    while half < 64:
        blocks = z.reshape(-1, 2, half)
        turned = blocks[:, 1] * w[:: 32 // half]
        z = np.stack([blocks[:, 0] + turned, blocks[:, 0] - turned], axis=1).ravel()
        half *= 2
    return np.stack([z.real, z.imag], axis=1).astype(F)


def dfa(x, mem):
    return np.array([len(re.findall(b"abc(?=[\\x00-\\xff])", x.tobytes()))], U)


def field_product(a, b):
    """In GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    for bit in range(8):
        product ^= (a << bit) * (b >> bit & 1)
    for bit in range(14, 7, -1):
        product ^= (0x11D << bit - 8) * (product >> bit & 1)
    return product


def reedsol(x, mem):
    """The remainder of a division of polynomials."""
    parity = [0] * 4
    for byte in x.tolist():
        factor = byte ^ parity[0]
        parity = [a ^ field_product(factor, g) for a, g in zip(parity[1:] + [0], (116, 231, 216, 30))]
    return np.array(parity, np.uint8)


def dct8x8(x, mem):
    rows = {0: 64, 1: (89, 75, 50, 18), 2: (83, 36), 3: (75, -18, -89, -50), 4: (64, -64), 5: (50, -89, 18, 75),
            6: (36, -83), 7: (18, -50, 75, -89)}
    c = np.zeros((8, 8), np.int64)
    for k, first in rows.items():
        half = np.resize(first, 4) if k % 2 or k == 0 else np.r_[first, np.multiply(first[::-1], -1 if k % 4 == 2 else 1)]
        c[k] = np.r_[half, half[::-1] * (-1 if k % 2 else 1)]
    blocks = x.reshape(-1, 8, 8).astype(np.int64)
    once = (np.einsum("jk,bik->bji", c, blocks) + 64 >> 7).astype("<i2").astype(np.int64)
    return (np.einsum("jk,bik->bij", c, once) + 64 >> 7).astype("<i2")


def runs(x, mem):
    x = x.astype(np.int64)
    sums = np.r_[0, np.cumsum(x)]
    largest = max(0, max((sums[1:] - np.minimum.accumulate(sums)[:-1]).max(), 0))
    longest = run = 0
    for rises in np.diff(x) > 0:
        run = run + 1 if rises else 0
        longest = max(longest, run)
    above = np.flatnonzero(x > 45)
    return np.array([largest, longest, np.count_nonzero((x[1:] < 0) != (x[:-1] < 0)),
                     above[0] if len(above) else -1], I)


def layer(x, mem):
    y = x.reshape(-1, 8).astype(D) @ array(mem, F, 64).reshape(8, 8).astype(D).T
    y = np.maximum(y, 0.1 * y)
    total = np.abs(y - y.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
    return (y / (total + 1)).astype(F)


REFERENCES = {
    "tea": each(tea, U),
    "mandel": each(mandel, F),
    "gcd": each(lambda x, mem: np.gcd(x[0::2], x[1::2]), U),
    "fft64": each(fft64, F),
    "dfa": each(dfa, np.uint8),
    "reedsol": each(reedsol, np.uint8),
    "dct8x8": each(dct8x8, "<i2"),
    "runs": each(runs, I),
    "layer": each(layer, F),
    "sha256": sha256,
    "gsm_ltp": each(gsm_ltp, "<i2"),
    "dct": each(dct, "<i2"),
    "huffman": each(huffman, U),
    "iir4": each(iir4, F),
    "routes": each(routes, U),
    "levenshtein": each(levenshtein, np.uint8),
    "sketch": sketch,
    "policer": policer,
    "range_decode": each(range_decode, np.uint8),
    "deblock": each(deblock, np.uint8),
    "aes": each(aes, U),
    "delta": each(delta, I),
    "exponential": each(lambda x, mem: np.exp(x.astype(D)).astype(F), F),
    "hash": each(words_hash, U),
    "bitcount": each(bitcount, "<u8"),
    "blend": each(blend, np.uint8),
    "mix": mix,
    "dequantise": each(dequantise, np.int8),
    "range": each(bounds, I),
    "matvec_sum": each(lambda x, mem: array(mem, D, 2048).reshape(32, 64) @ x, D),
    "gemm_rows": each(gemm_rows, F),
    "magnitude": each(lambda x, mem: np.hypot(x[:128].astype(D), x[128:]).astype(F), F),
    "divmod": each(lambda x, mem: (x // array(mem, U, 1)) << 16 | x % array(mem, U, 1), U),
    "dot8": each(dot8, np.int8),
    "morton": each(morton, U),
    "stencil9_rows": each(lambda x, mem: stencil9(x, mem), I),
    "fir": each(fir, F),
    "conv1d": each(conv1d, "<i2"),
    "conv2d": each(conv2d, I),
    "matvec": each(matvec, D),
    "banded": each(banded, F),
    "gemm": gemm,
    "bicg": each(bicg, F),
    "mvt": mvt,
    "fft": each(fft, F),
    "histogram": histogram,
    "prefix_sum": each(lambda x, mem: np.cumsum(x, dtype=U), U),
    "relu": each(relu, F),
    "softmax": each(softmax, F),
    "argmax": each(argmax, F),
    "spmv": spmv,
    "classify": each(classify, np.uint8),
    "crc_bits": crc,
    "crc_table": crc,
    "stencil5": each(stencil5, F),
    "stencil9": each(stencil9, I),
    "norm": each(lambda x, mem: x / np.linalg.norm(x), D),
    "pagerank": pagerank,
    "kmeans": each(kmeans, F),
    "quantise": each(quantise, F),
    "normalise": each(lambda x, mem: x / np.sqrt(x.astype(D)**2 + 1000), I),
    "iir": each(iir, F),
    "corner": each(corner, np.uint8),
    "find": each(find, U),
    "copy_until": copy_until,
    "checksum": each(checksum, "<u2"),
    "median": each(median, "<i2"),
    "transpose": each(lambda x, mem: x.reshape(16, 16).T, np.uint8),
}
