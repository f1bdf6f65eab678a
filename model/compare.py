"""The model beside what else predicts text: compressors given the same training text. The model's card shows it.

Bits per byte of a compressor: by how much the training text with a work's held-out part behind it is longer, compressed,
than the training text alone; over the bytes of that part. Everything a compressor remembers it may use: it is bound to no size.
"""

import bz2
import lzma
from collections.abc import Callable

import pyppmd

from model import corpus, manifest
from model.sweep import slices

Compress = Callable[[bytes], bytes]
PPM_MEMORY = 1 << 30  # bytes; it never fills
PPM_ORDERS = range(3, 9)


def xz(data: bytes) -> bytes:
    """xz -9e: its dictionary of 64 MiB holds all of the training text."""
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def bzip2(data: bytes) -> bytes:
    """bzip2 -9: it looks back 900,000 bytes."""
    return bz2.compress(data, 9)


def ppm(order: int) -> Compress:
    """PPMd, variant H (Shkarin, 2002), which predicts a byte from up to `order` before it."""

    def compress(data: bytes) -> bytes:
        encoder = pyppmd.Ppmd7Encoder(order, PPM_MEMORY)
        return encoder.encode(data) + encoder.flush()

    return compress


def bits_per_byte(compress: Compress, texts: list[corpus.Text]) -> dict[str, float]:
    """Of each work's held-out part, and `overall`. The tales come last, nearest to what is to be predicted."""
    order = sorted(texts, key=lambda text: text.work.tales)
    known = "".join(text.train for text in order).encode()
    alone = len(compress(known))
    parts = {text.work.name: text.held_out.encode() for text in corpus.tales(texts)}
    bits = {name: 8 * (len(compress(known + part)) - alone) for name, part in parts.items()}
    found = {name: bits[name] / len(part) for name, part in parts.items()}
    return {**found, "overall": sum(bits.values()) / sum(map(len, parts.values()))}


def best_order(texts: list[corpus.Text]) -> int:
    """The order of PPM that does best on a slice of the training text."""
    inner = slices(texts)
    return min(PPM_ORDERS, key=lambda order: bits_per_byte(ppm(order), inner)["overall"])


def beside(texts: list[corpus.Text]) -> dict[str, dict[str, float]]:
    """Bits per byte of held-out text, of each work and `overall`, for the model and for what it is held against."""
    order = best_order(texts)
    evaluation = manifest.read().evaluation
    return {
        "this model": {**evaluation.works, "overall": evaluation.bits_per_byte},
        f"PPMd, order {order}": bits_per_byte(ppm(order), texts),
        "bzip2 -9": bits_per_byte(bzip2, texts),
        "xz -9e": bits_per_byte(xz, texts),
    }
