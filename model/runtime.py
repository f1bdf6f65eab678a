"""The shipped model in Python: load, encode, run. numpy, tokenizers and onnxruntime; no torch."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # it would otherwise keep files under the user's cache
import onnxruntime
from tokenizers import Tokenizer

from model import manifest as contract
from model.manifest import ARTIFACTS, ArtifactError, Manifest


@dataclass(frozen=True)
class Token:
    """A token of a text. `start` and `end` count UTF-16 units, as the browser does.

    `text` is what the reader typed there: the whole characters that the token's bytes touch, so that the tokens of one
    emoji share one text and one span.
    """

    id: int
    text: str
    start: int
    end: int


class Runtime:
    """One session of the shipped model."""

    def __init__(self, manifest: Manifest, tokenizer: Tokenizer, session: onnxruntime.InferenceSession):
        self.manifest, self.tokenizer, self.session = manifest, tokenizer, session

    @classmethod
    def load(cls, directory: Path = ARTIFACTS) -> "Runtime":
        """Raises ArtifactError, by name, when manifest, tokenizer or model is missing or breaks the contract."""
        manifest = contract.read(directory)
        tokenizer = Tokenizer.from_file(str(directory / contract.TOKENIZER_FILE))
        if tokenizer.get_vocab_size() != manifest.config.vocabulary:
            found, promised = tokenizer.get_vocab_size(), manifest.config.vocabulary
            raise ArtifactError(f"{contract.TOKENIZER_FILE} has {found} tokens, the manifest says {promised}")
        if tokenizer.get_added_tokens_decoder():
            raise ArtifactError(f"{contract.TOKENIZER_FILE} has special tokens; what a reader types could become one")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # the model is too small for two threads to help
        path = directory / contract.MODEL_FILE
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ArtifactError(f"{path} is no model that onnxruntime can read: {error}") from None
        contract.check_tensors("input", contract.INPUTS, tensors(session.get_inputs()), manifest.config, path)
        contract.check_tensors("output", contract.OUTPUTS, tensors(session.get_outputs()), manifest.config, path)
        return cls(manifest, tokenizer, session)

    def encode(self, text: str) -> list[Token]:
        """The tokens of a text; a lone surrogate is read as U+FFFD, as in the browser."""
        text = well_formed(text)
        encoding = self.tokenizer.encode(text)
        # A byte-level token is spelled with one letter a byte.
        return spans(text, encoding.ids, [len(token) for token in encoding.tokens])

    def run(
        self,
        ids: Sequence[int],
        outputs: Sequence[str] = ("pattern",),
        *,
        positions: Sequence[int] | None = None,
        position_scale: float = 1.0,
        head_mask: ArrayLike | None = None,
        mlp_mask: ArrayLike | None = None,
        past_k: np.ndarray | None = None,
        past_v: np.ndarray | None = None,
    ) -> dict[str, np.ndarray]:
        """The outputs asked for, float32, in the shapes of `manifest.OUTPUTS`.

        `head_mask` (L, H), `mlp_mask` (L,), `past_k` and `past_v` (L, H, P, Dh). Raises ValueError when there is no
        token, when P + T passes the context length, when an id, a position or an output's name is unknown, or when
        an input has another shape.
        """
        config = self.manifest.config
        empty = np.zeros((config.layers, config.heads, 0, config.head_size), np.float32)
        P, T = 0 if past_k is None else np.shape(past_k)[2], len(ids)
        given = {
            "tokens": [ids],
            "positions": range(P, P + T) if positions is None else positions,
            "position_scale": [position_scale],
            "head_mask": np.ones((config.layers, config.heads)) if head_mask is None else head_mask,
            "mlp_mask": np.ones(config.layers) if mlp_mask is None else mlp_mask,
            "past_k": empty if past_k is None else past_k,
            "past_v": empty if past_v is None else past_v,
        }
        feeds = {name: np.asarray(value, contract.INPUTS[name].dtype) for name, value in given.items()}
        check_request(feeds, outputs, config, P, T)
        return dict(zip(outputs, map(np.asarray, self.session.run(list(outputs), feeds)), strict=True))


def check_request(feeds: dict[str, np.ndarray], outputs: Sequence[str], config: contract.Config, P: int, T: int) -> None:
    if T == 0:
        raise ValueError("the model needs at least one token")
    length = P + T
    if length > config.context:
        raise ValueError(f"{length} tokens are more than the {config.context} the model can read at once")
    sizes = config.sizes(T=T, P=P)
    for name, tensor in contract.INPUTS.items():
        shape = tuple(sizes[symbol] for symbol in tensor.shape)
        if feeds[name].shape != shape:
            raise ValueError(f"{name} has the shape {feeds[name].shape}, expected {shape}: {tensor.shape}")
    check_range("token id", feeds["tokens"], config.vocabulary)
    check_range("position", feeds["positions"], config.context)
    if unknown := [name for name in outputs if name not in contract.OUTPUTS]:
        raise ValueError(f"the model has no output {', '.join(unknown)}")
    if not outputs:
        raise ValueError(f"no output was asked for; the model has {', '.join(contract.OUTPUTS)}")


def check_range(kind: str, numbers: np.ndarray, limit: int) -> None:
    if wrong := [int(n) for n in numbers.flat if not 0 <= n < limit]:
        raise ValueError(f"{kind} {wrong[0]} is not one of the {limit}, 0 to {limit - 1}")


def tensors(nodes: Sequence[Any]) -> dict[str, contract.Tensor]:
    """What a session says of its inputs or outputs, in the contract's words."""
    dtypes = {"tensor(float)": "float32", "tensor(int64)": "int64"}
    return {n.name: contract.Tensor(dtypes.get(str(n.type), str(n.type)), list(n.shape), "") for n in nodes}


def well_formed(text: str) -> str:
    """The text with every lone surrogate as U+FFFD, like JavaScript's `toWellFormed`."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def spans(text: str, ids: Sequence[int], lengths: Sequence[int]) -> list[Token]:
    """Tokens with their places, by walking their byte lengths along the text.

    >>> [(t.text, t.start, t.end) for t in spans('né!', [0, 1, 2], [2, 1, 1])]
    [('né', 0, 2), ('é', 1, 2), ('!', 2, 3)]
    """
    owner = [i for i, char in enumerate(text) for _ in char.encode()]  # byte -> character
    place = [0]  # character -> its first UTF-16 unit
    for char in text:
        place.append(place[-1] + (2 if ord(char) > 0xFFFF else 1))
    tokens, at = [], 0
    for token, length in zip(ids, lengths, strict=True):
        first, last = owner[at], owner[at + length - 1]
        tokens.append(Token(token, text[first : last + 1], place[first], place[last + 1]))
        at += length
    assert at == len(owner), f"the tokens cover {at} bytes of a text of {len(owner)}"
    return tokens
