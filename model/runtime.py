"""The shipped model in Python: load, encode, run. numpy, tokenizers and onnxruntime; no torch."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # the model is too small for two threads to help
        path = directory / contract.MODEL_FILE
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ArtifactError(f"{path} is no model that onnxruntime can read: {error}") from None
        contract.missing("input", contract.INPUTS, (i.name for i in session.get_inputs()), path)
        contract.missing("output", contract.OUTPUTS, (o.name for o in session.get_outputs()), path)
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
        token, when P + T passes the context length, or when an id or an output's name is unknown.
        """
        config = self.manifest.config
        empty = np.zeros((config.layers, config.heads, 0, config.head_size), np.float32)
        past_k, past_v = (empty if past is None else past for past in (past_k, past_v))
        P, T = past_k.shape[2], len(ids)
        check_ids(ids, P, config)
        contract_names = [name for name in outputs if name not in contract.OUTPUTS]
        if contract_names:
            raise ValueError(f"the model has no output {', '.join(contract_names)}")
        feeds = {
            "tokens": np.array([ids], np.int64),
            "positions": np.array(range(P, P + T) if positions is None else positions, np.int64),
            "position_scale": np.array([position_scale], np.float32),
            "head_mask": np.ones((config.layers, config.heads)) if head_mask is None else head_mask,
            "mlp_mask": np.ones(config.layers) if mlp_mask is None else mlp_mask,
            "past_k": past_k,
            "past_v": past_v,
        }
        feeds = {n: np.asarray(a, np.int64 if contract.INPUTS[n].dtype == "int64" else np.float32) for n, a in feeds.items()}
        return dict(zip(outputs, map(np.asarray, self.session.run(list(outputs), feeds)), strict=True))


def check_ids(ids: Sequence[int], cached: int, config: contract.Config) -> None:
    if not len(ids):
        raise ValueError("the model needs at least one token")
    if cached + len(ids) > config.context:
        raise ValueError(f"{cached + len(ids)} tokens are more than the {config.context} the model can read at once")
    if wrong := [i for i in ids if not 0 <= i < config.vocabulary]:
        raise ValueError(f"token id {wrong[0]} is not one of the {config.vocabulary} in the vocabulary")


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
    return tokens
