"""The contract between those who make the model and those who run it: tensor names, shapes, files, what was measured.

Export writes by it, and the Python runtime, the browser and the tests read by it. Shapes are in symbols: T tokens, P
cached tokens, S = P + T, L layers, H heads, D width, Dh head size, V vocabulary, C context length.
"""

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FORMAT = 2
ARTIFACTS = Path(__file__).parent / "artifacts"
MODEL_FILE, TOKENIZER_FILE, MANIFEST_FILE = "model.onnx", "tokenizer.json", "manifest.json"
CHECKPOINTS = "checkpoints"  # the folder of what the model was earlier in its training
MAX_MODEL_BYTES = 1_300_000


def checkpoint_file(step: int) -> str:
    return f"{CHECKPOINTS}/step-{step:06}.onnx"


class ArtifactError(RuntimeError):
    """The shipped model is not what its contract says; the message names what is missing or other."""


@dataclass(frozen=True)
class Tensor:
    dtype: str
    shape: list[str | int]
    meaning: str


INPUTS = {
    "tokens": Tensor("int64", [1, "T"], "ids"),
    "positions": Tensor("int64", ["T"], "normally P … P+T−1"),
    "position_scale": Tensor("float32", [1], "1, or 0 to switch positions off"),
    "head_mask": Tensor("float32", ["L", "H"], "1 keeps a head, 0 silences it"),
    "mlp_mask": Tensor("float32", ["L"], "1 keeps a feed-forward half, 0 silences it"),
    "past_k": Tensor("float32", ["L", "H", "P", "Dh"], "keys of a cached prefix; empty when P = 0"),
    "past_v": Tensor("float32", ["L", "H", "P", "Dh"], "values of a cached prefix"),
}
OUTPUTS = {
    "pattern": Tensor("float32", ["L", "H", "T", "S"], "weights; a row adds up to 1"),
    "scores": Tensor("float32", ["L", "H", "T", "S"], "q·k/√Dh before mask and softmax"),
    "q": Tensor("float32", ["L", "H", "T", "Dh"], "queries as multiplied, positions included"),
    "k": Tensor("float32", ["L", "H", "S", "Dh"], "keys as multiplied, positions included"),
    "v": Tensor("float32", ["L", "H", "S", "Dh"], "values"),
    "residual": Tensor("float32", ["2L+1", "T", "D"], "the stream after the embedding and after each half-block"),
    "logits": Tensor("float32", ["T", "V"], "scores of the next token"),
    "token_embedding": Tensor("float32", ["V", "D"], "a constant, fetched only when asked for"),
    "position_embedding": Tensor("float32", ["C", "D"], "a constant"),
    "final_norm": Tensor("float32", ["D"], "a constant"),
}


@dataclass(frozen=True)
class Config:
    layers: int
    heads: int
    width: int
    head_size: int
    vocabulary: int
    context: int

    def sizes(self, **lengths: int) -> dict[str | int, int]:
        """What the symbols of a shape stand for; `lengths` are those of a run, T and P."""
        fixed = {"L": self.layers, "H": self.heads, "D": self.width, "Dh": self.head_size}
        return {1: 1, "2L+1": 2 * self.layers + 1, "V": self.vocabulary, "C": self.context, **fixed, **lengths}


@dataclass(frozen=True)
class File:
    sha256: str
    bytes: int

    @staticmethod
    def of(path: Path) -> "File":
        content = path.read_bytes()
        return File(hashlib.sha256(content).hexdigest(), len(content))


@dataclass(frozen=True)
class CorpusWork:
    """A work of the training text; `weight` is how often one epoch of the diet holds it."""

    name: str
    title: str
    source: str
    sha256: str
    rights: str
    weight: int
    train_bytes: int
    held_out_bytes: int


@dataclass(frozen=True)
class Training:
    settings: dict[str, bool | int | float | str]
    log: list[dict[str, int | float]]


@dataclass(frozen=True)
class Copying:
    """Nats a token on spans of random tokens that are read twice."""

    first: float
    repeat: float


@dataclass(frozen=True)
class Naming:
    """What the head that chapter 10 shows gives to persons: in its sentence, and on average in others built like it."""

    sentence_speaker: float  # the one who says something
    sentence_name: float  # the one it is said to
    speaker: float
    name: float
    alice: float  # to the name, where it is Alice
    others: float  # … where it is someone else


@dataclass(frozen=True)
class Evaluation:
    """Bits per byte on the last tenth of each collection of tales, as `evaluate` defines them."""

    bits_per_byte: float
    works: dict[str, float]
    copying: Copying
    naming: Naming


@dataclass(frozen=True)
class Checkpoint:
    """The model after so many steps: a file in the same contract, its heads in the same order."""

    step: int
    tokens: int
    file: str
    bits_per_byte: float


@dataclass(frozen=True)
class Role:
    """A habit looked for in a head, and how strong it is: the mean share of its budget that goes there, or another measure."""

    name: str
    unit: str  # share, tokens or bits
    score: float
    baseline: float  # of a head that spreads its budget evenly
    untrained: float  # of the head at this place in a model that was not trained
    text: str  # what it was measured on


@dataclass(frozen=True)
class Head:
    """Layer and head are counted from 0."""

    layer: int
    head: int
    roles: list[Role]
    verdict: str


@dataclass(frozen=True)
class Manifest:
    format: int
    config: Config
    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]
    files: dict[str, File]
    corpus: list[CorpusWork]
    training: Training
    evaluation: Evaluation
    heads: list[Head]
    checkpoints: list[Checkpoint]

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read(directory: Path = ARTIFACTS) -> Manifest:
    """The manifest of a folder of artefacts, and the word that its files are those the manifest names.

    Raises ArtifactError, naming the field, tensor or file that is missing or other than promised.
    """
    path = directory / MANIFEST_FILE
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ArtifactError(f"{path} is missing; make it with: make train") from None
    except ValueError as error:
        raise ArtifactError(f"{path} is not JSON: {error}") from None
    if isinstance(content, dict) and content.get("format", FORMAT) != FORMAT:
        raise ArtifactError(f"{path}: format {content['format']} is not {FORMAT}, the one this code reads")
    manifest = build(Manifest, content, str(path))
    config = manifest.config
    if config.heads * config.head_size != config.width:
        raise ArtifactError(f"{path}: {config.heads} heads of {config.head_size} do not make the width {config.width}")
    if [(head.layer, head.head) for head in manifest.heads] != list(np.ndindex(config.layers, config.heads)):
        raise ArtifactError(f"{path}: heads does not list each of {config.layers} × {config.heads} heads once, in order")
    check_tensors("input", INPUTS, manifest.inputs, config, path)
    check_tensors("output", OUTPUTS, manifest.outputs, config, path)
    for name in (MODEL_FILE, TOKENIZER_FILE, *(checkpoint.file for checkpoint in manifest.checkpoints)):
        check_file(directory / name, manifest.files.get(name), path)
    return manifest


def check_file(path: Path, promised: File | None, manifest: Path) -> None:
    if promised is None:
        raise ArtifactError(f"{manifest}: files does not name {path.name}")
    if not path.exists():
        raise ArtifactError(f"{path} is missing; make it with: make train")
    if File.of(path) != promised:
        raise ArtifactError(f"{path} is not the file that {manifest.name} describes (its sha256 differs)")


def check_tensors(kind: str, promised: Mapping[str, Tensor], found: Mapping[str, Tensor], config: Config, where: Path) -> None:
    """Raises ArtifactError naming the promised tensors that were not found, or the first one of another type or shape.

    A found shape may be in symbols or in the numbers that they stand for; lengths (T, P, S) must not be numbers.
    """
    if lacking := [name for name in promised if name not in found]:
        raise ArtifactError(f"{where} lacks {kind} {', '.join(lacking)}")
    sizes = config.sizes()
    for name, tensor in promised.items():
        same_rank = len(found[name].shape) == len(tensor.shape)
        if (
            found[name].dtype == tensor.dtype
            and same_rank
            and all(is_size(dim, symbol, sizes) for dim, symbol in zip(found[name].shape, tensor.shape, strict=True))
        ):
            continue
        is_, should = (f"{t.dtype} {t.shape}" for t in (found[name], tensor))
        raise ArtifactError(f"{where}: {kind} {name} is {is_}, expected {should} with {config}")


def is_size(dim: str | int, symbol: str | int, sizes: Mapping[str | int, int]) -> bool:
    return dim in (symbol, sizes[symbol]) if symbol in sizes else isinstance(dim, str)


def build(kind: typing.Any, value: typing.Any, where: str) -> typing.Any:
    """A value of an annotated type from JSON: dataclasses, lists, dicts, unions and plain types.

    Raises ArtifactError at the first field that is missing, unknown or of another type.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return build_dataclass(kind, value, where)
    if origin is list and isinstance(value, list):
        return [build(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(value)]
    if origin is dict and isinstance(value, Mapping):
        return {key: build(arguments[1], item, f"{where}.{key}") for key, item in value.items()}
    plain = arguments if origin is types.UnionType else (kind,)
    if origin in (None, types.UnionType) and type(value) in (*plain, int if float in plain else None):
        return value
    raise ArtifactError(f"{where} is {json.dumps(value)[:60]}, expected {kind}")


def build_dataclass(kind: typing.Any, value: typing.Any, where: str) -> typing.Any:
    if not isinstance(value, Mapping):
        raise ArtifactError(f"{where} is not an object")
    hints = typing.get_type_hints(kind)
    if lacking := [name for name in hints if name not in value]:
        raise ArtifactError(f"{where} lacks {', '.join(lacking)}")
    if unknown := [name for name in value if name not in hints]:
        raise ArtifactError(f"{where} has unknown {', '.join(unknown)}")
    return kind(**{name: build(hint, value[name], f"{where}.{name}") for name, hint in hints.items()})
