"""The model beside what else predicts text: compressors given the same training text. The model's card shows it.

Bits per byte of a compressor: by how much the training text with a work's held-out part behind it is longer, compressed,
than the training text alone; over the bytes of that part. The work itself stands last, nearest to what is to be predicted. A
compressor is bound to no size, and goes on learning within the held-out part; the model does neither.
"""

import bz2
import lzma
from collections.abc import Callable

import pyppmd

from model import corpus, manifest
from model.sweep import slices

Compress = Callable[[bytes], bytes]
BLOCK = 899_000  # bytes; a little less than 900,000, since runs of one byte are spelled out before they are counted
PPM_MEMORY = 1 << 30  # bytes; it never fills
PPM_ORDERS = range(3, 9)


def xz(data: bytes) -> bytes:
    """xz -9e: its dictionary of 64 MiB holds all of the training text."""
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def bzip2(data: bytes) -> bytes:
    """bzip2 -9, which sorts blocks of 900,000 bytes each by itself: it is given the one block that ends with `data`."""
    return bz2.compress(data[-BLOCK:], 9)


def ppm(order: int) -> Compress:
    """PPMd, variant H (Shkarin, 2002), which predicts a byte from up to `order` before it."""

    def compress(data: bytes) -> bytes:
        encoder = pyppmd.Ppmd7Encoder(order, PPM_MEMORY)
        return encoder.encode(data) + encoder.flush()

    return compress


def bits_per_byte(compress: Compress, texts: list[corpus.Text]) -> dict[str, float]:
    """Of each work's held-out part, and `overall`."""
    parts = {text.work.name: text.held_out.encode() for text in corpus.tales(texts)}
    bits = {text.work.name: 8 * cost(compress, texts, text) for text in corpus.tales(texts)}
    found = {name: bits[name] / len(part) for name, part in parts.items()}
    return {**found, "overall": sum(bits.values()) / sum(map(len, parts.values()))}


def cost(compress: Compress, texts: list[corpus.Text], last: corpus.Text) -> int:
    """Bytes by which what is compressed grows with the held-out part of `last`."""
    order = sorted(texts, key=lambda text: (text is last, text.work.tales))
    known, part = "".join(text.train for text in order).encode(), last.held_out.encode()
    if compress is bzip2:  # the same window without the part, so that both are one block
        known = known[-(BLOCK - len(part)) :]
    return len(compress(known + part)) - len(compress(known))


def best_order(texts: list[corpus.Text]) -> int:
    """The order of PPM that does best on a slice of the training text."""
    inner = slices(texts)
    return min(PPM_ORDERS, key=lambda order: bits_per_byte(ppm(order), inner)["overall"])


def beside(texts: list[corpus.Text]) -> dict[str, dict[str, float]]:
    """Bits per byte of held-out text, of each work and `overall`, for the model and for what it is held against.

    Raises SystemExit where the shipped model was trained on other works than these.
    """
    shipped = manifest.read()
    if {work.sha256 for work in shipped.corpus} != {text.work.sha256 for text in texts}:
        raise SystemExit("the shipped model was trained on other works than corpus.py lists now; train it anew: make train")
    order, evaluation = best_order(texts), shipped.evaluation
    return {
        "this model": {**evaluation.works, "overall": evaluation.bits_per_byte},
        f"PPMd, order {order}": bits_per_byte(ppm(order), texts),
        "bzip2 -9": bits_per_byte(bzip2, texts),
        "xz -9e": bits_per_byte(xz, texts),
    }
