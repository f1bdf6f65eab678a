"""The trained model as three files that Python and the browser read: model.onnx, tokenizer.json, manifest.json.

Matrices are rounded to 8 bits, with a scale for each column (tables: for each row), and vectors to 16 bits, before anything
is measured or written, so every number that is published is that of the shipped file. What was kept of the model on its way
is written in the same form, for the chapter on training. `python -m model.export` takes the last training run.
"""

import argparse
import json
import logging
import os
import shutil
import tempfile
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn

from model import corpus, evaluate
from model import manifest as contract
from model.gpt import GPT, Switches
from model.manifest import ARTIFACTS
from model.train import RUN, Settings, checkpoint_steps, config_of

OPSET = 20
# The sentence of chapter 10. Heads of a layer are interchangeable, so their order is ours to choose: the head that
# looks from «said» to «Alice» most becomes layer 2, head 3; the one of layer 1 whose row there is most evenly spread
# becomes layer 1, head 1.
SENTENCE, SPEAKER, NAME = "The king turned sharply to Alice and said", "king", "Alice"
STORY_HEAD, CONTRAST_HEAD = (1, 2), (0, 0)
# 32 bits leave an error of about a millionth in a score of this size, and a few millionths in the weights made of it. Promised
# is that two runtimes agree to ten.
MOST_SCORE = 64


class Contract(nn.Module):
    """The model with its inputs and outputs in the order of the contract, without the batch axis."""

    def __init__(self, model: GPT):
        super().__init__()
        self.model = model

    def forward(self, tokens: Tensor, positions: Tensor, *switches: Tensor) -> tuple[Tensor, ...]:
        logits, residual, attended = self.model(tokens, positions, Switches(*switches))
        stacked = {
            name: torch.stack([getattr(layer, name)[0] for layer in attended])  # (L, H, …)
            for name in ("pattern", "scores", "q", "k", "v")
        }
        model = self.model
        tables = {
            "token_embedding": model.token_embedding.weight,
            "position_embedding": model.position_embedding.weight,
            "final_norm": model.final_norm.weight,
        }
        found = {**stacked, "residual": residual[:, 0], "logits": logits[0], **tables}
        return tuple(found[name] for name in contract.OUTPUTS)


def to_onnx(model: GPT, path: Path) -> None:
    """Write a rounded model as one file. Equal models give equal bytes."""
    config = model.config
    P, T = torch.export.Dim("P", min=0, max=config.context), torch.export.Dim("T", min=1, max=config.context)
    past = torch.zeros(config.layers, config.heads, 3, config.head_size)  # P = 3: an example of 0 or 1 is frozen in
    # Two tensors: were they one, the graph would read past_v for both.
    switches = Switches.off(config)._replace(past_k=past.clone(), past_v=past.clone())
    example = (torch.zeros(1, 5, dtype=torch.long), torch.arange(5), *switches)
    dynamic = ({1: T}, {0: T}, ({}, {}, {}, {2: P}, {2: P}))
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns about its own insides
        program = torch.onnx.export(
            Contract(model).eval(),
            example,
            dynamo=True,
            opset_version=OPSET,
            input_names=list(contract.INPUTS),
            output_names=list(contract.OUTPUTS),
            dynamic_shapes=dynamic,
            external_data=False,
            verbose=False,
        )
    assert program is not None
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "model.onnx"
        program.save(str(whole), external_data=False)
        proto = onnx.load(whole)
    strip(proto)
    shrink(proto)
    onnx.checker.check_model(proto, full_check=True)
    path.write_bytes(proto.SerializeToString(deterministic=True))


def strip(proto: onnx.ModelProto) -> None:
    """Remove what the exporter notes about its work: source paths, types of inner values, names of its passes."""
    del proto.graph.value_info[:], proto.metadata_props[:], proto.graph.metadata_props[:]
    proto.doc_string = proto.graph.doc_string = ""
    for node in proto.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    for value in [*proto.graph.input, *proto.graph.output, *proto.graph.initializer]:
        del value.metadata_props[:]
        value.doc_string = ""


def shrink(proto: onnx.ModelProto) -> None:
    """Keep matrices in 8 bits, with their scales, and vectors in 16, and work the weights out when the model is loaded.

    By Cast and Mul: a DequantizeLinear would be fused with the product by onnxruntime, and not by onnxruntime-web.
    """
    made, small = [], []
    for weight in list(proto.graph.initializer):
        array, name = numpy_helper.to_array(weight), weight.name
        if array.dtype != np.float32 or array.size < 2:
            continue
        if array.ndim == 2:
            scale = scales(torch.from_numpy(array.copy()), is_table(name)).numpy()
            whole = np.rint(array / scale).astype(np.int8)
            assert (whole * scale == array).all(), f"{name} was not rounded before export"
            small += [numpy_helper.from_array(whole, f"{name}.int8"), numpy_helper.from_array(scale, f"{name}.scale")]
            made.append(helper.make_node("Cast", [f"{name}.int8"], [f"{name}.whole"], to=onnx.TensorProto.FLOAT))
            made.append(helper.make_node("Mul", [f"{name}.whole", f"{name}.scale"], [name]))
        else:
            half = array.astype(np.float16)
            assert (half.astype(np.float32) == array).all(), f"{name} was not rounded before export"
            small.append(numpy_helper.from_array(half, f"{name}.half"))
            made.append(helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
        proto.graph.initializer.remove(weight)
    proto.graph.initializer.extend(small)
    nodes = [*made, *proto.graph.node]
    del proto.graph.node[:]
    proto.graph.node.extend(nodes)


def is_table(name: str) -> bool:
    """Whether a matrix has a vector in each row, to be looked up."""
    return "embedding" in name


def scales(weight: Tensor, by_row: bool) -> Tensor:
    """The step between neighbouring 8-bit weights, (rows, 1) or (1, columns): the greatest is 127 steps.

    Rounded up to 11 binary digits, so that 127 steps are exact in 32 bits: rounding a rounded matrix changes nothing.
    """
    mantissa, exponent = torch.frexp(weight.abs().amax(1 if by_row else 0, keepdim=True) / 127)
    scale = torch.ldexp((mantissa * 2**11).ceil() / 2**11, exponent)
    return torch.where(scale > 0, scale, torch.ones_like(scale))


@torch.no_grad()
def rounded(model: GPT) -> GPT:
    """The model with the weights that the file can hold."""
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            scale = scales(weight, is_table(name))
            weight.copy_((weight / scale).round() * scale)
        else:
            weight.copy_(weight.half().float())
    return model.eval()


@torch.no_grad()
def damp(model: GPT, tokens: Tensor) -> None:
    """Halve the queries of a head until no score of it on `tokens` (N, T) is above MOST_SCORE.

    The fee for rows that are spread out leaves heads with scores that no choice needs: their rows stay decided without. Halving
    is exact, so a rounded model stays rounded.
    """
    for layer, block in enumerate(model.blocks):  # anew for each: a damped layer writes something else for the next
        scores = model(tokens, torch.arange(tokens.shape[1]), Switches.off(model.config))[2][layer].scores  # (N, H, T, S)
        halvings = (scores.tril().abs().amax((0, 2, 3)) / MOST_SCORE).log2().ceil().clamp_min(0)  # (H,)
        block.attention.query.weight.mul_((2**-halvings).repeat_interleave(model.config.head_size))


@torch.no_grad()
def reorder_heads(model: GPT, layer: int, order: list[int]) -> None:
    """Give the heads of a layer another order; the model computes the same."""
    attention = model.blocks[layer].attention
    size = model.config.head_size
    channels = torch.cat([torch.arange(h * size, (h + 1) * size) for h in order])
    for projection in (attention.query, attention.key, attention.value):
        projection.weight.copy_(projection.weight[:, channels].clone())
    attention.out.weight.copy_(attention.out.weight[channels].clone())


@torch.no_grad()
def story_order(model: GPT, tokenizer: Tokenizer) -> list[list[int]]:
    """For each layer the order of heads that brings those that chapter 10 shows to their places."""
    encoding = tokenizer.encode(SENTENCE)
    asks, asked = encoding.tokens.index("Ġsaid"), encoding.tokens.index(f"Ġ{NAME}")
    row = evaluate.patterns(model, torch.tensor([encoding.ids]))[0, :, :, asks]  # (L, H, S)
    decisive = int(row[1, :, asked].argmax())
    neg_entropy = (row[0] * row[0].clamp_min(1e-9).log()).sum(-1)  # (H,)
    orders = [list(range(model.config.heads)) for _ in range(model.config.layers)]
    for (layer, place), head in ((STORY_HEAD, decisive), (CONTRAST_HEAD, int(neg_entropy.argmin()))):
        orders[layer].remove(head)
        orders[layer].insert(place, head)
    return orders


def corpus_of(texts: list[corpus.Text]) -> list[contract.CorpusWork]:
    return [
        contract.CorpusWork(
            text.work.name,
            text.work.title,
            text.work.source,
            text.work.sha256,
            text.work.rights,
            text.work.weight,
            len(text.train.encode()),
            len(text.held_out.encode()),
        )
        for text in texts
    ]


@dataclass(frozen=True)
class Trained:
    """What a training run leaves behind: the model, its tokenizer's file, the record, and the model at earlier steps."""

    model: GPT
    tokenizer: Path
    settings: dict
    log: list[dict]
    earlier: dict[int, GPT] = field(default_factory=dict)


def export(trained: Trained, texts: list[corpus.Text], out: Path = ARTIFACTS) -> contract.Manifest:
    """Round, damp, order, write, measure. `out` is replaced file by file, and only when all of them are made."""
    tokenizer = Tokenizer.from_file(str(trained.tokenizer))
    models = {contract.MODEL_FILE: trained.model}
    models |= {contract.checkpoint_file(step): model for step, model in trained.earlier.items()}
    read = [corpus.Text(text.work, text.train, text.train) for text in texts]
    stories = evaluate.story_windows(trained.model, tokenizer, read)
    for model in models.values():
        damp(rounded(model), stories)
    orders = story_order(trained.model, tokenizer)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as folder:
        made = Path(folder)
        (made / contract.CHECKPOINTS).mkdir()
        for name, model in models.items():
            for layer, order in enumerate(orders):
                reorder_heads(model, layer, order)
            to_onnx(model, made / name)
        shutil.copy(trained.tokenizer, made / contract.TOKENIZER_FILE)
        files = {name: contract.File.of(made / name) for name in (*models, contract.TOKENIZER_FILE)}
        if (bytes_ := files[contract.MODEL_FILE].bytes) > (most := contract.MAX_MODEL_BYTES):
            raise SystemExit(f"{contract.MODEL_FILE} has {bytes_:,} bytes, more than the {most:,} agreed")
        manifest = describe(trained, tokenizer, texts, files)
        (made / contract.MANIFEST_FILE).write_text(manifest.to_json(), "utf-8")
        shutil.rmtree(out / contract.CHECKPOINTS, ignore_errors=True)
        (out / contract.CHECKPOINTS).mkdir()
        for name in (*files, contract.MANIFEST_FILE):
            os.replace(made / name, out / name)
    return contract.read(out)


def describe(
    trained: Trained, tokenizer: Tokenizer, texts: list[corpus.Text], files: dict[str, contract.File]
) -> contract.Manifest:
    """The manifest of rounded and ordered models, measured here."""
    model = trained.model
    c = model.config
    scores = evaluate.score_works(model, tokenizer, texts)
    first, repeat = evaluate.copying(model)
    rows = c.context * trained.settings.get("batch", 0)  # tokens a step

    def held_out(model: GPT) -> float:
        return round(evaluate.overall(evaluate.score_works(model, tokenizer, texts)).bits_per_byte, 4)

    return contract.Manifest(
        format=contract.FORMAT,
        config=contract.Config(c.layers, c.heads, c.width, c.head_size, c.vocabulary, c.context),
        inputs=contract.INPUTS,
        outputs=contract.OUTPUTS,
        files=files,
        corpus=corpus_of(texts),
        training=contract.Training(trained.settings, trained.log),
        evaluation=contract.Evaluation(
            round(evaluate.overall(scores).bits_per_byte, 4),
            {name: round(score.bits_per_byte, 4) for name, score in scores.items()},
            contract.Copying(round(first, 4), round(repeat, 4)),
            naming(model, tokenizer),
        ),
        heads=evaluate.heads(model, tokenizer, texts),
        checkpoints=[
            contract.Checkpoint(step, step * rows, contract.checkpoint_file(step), held_out(earlier))
            for step, earlier in sorted(trained.earlier.items())
        ],
    )


def naming(model: GPT, tokenizer: Tokenizer) -> contract.Naming:
    """What the head of the story gives to persons."""

    def share(sentence: str, word: str) -> float:
        return float(evaluate.on_word(model, tokenizer, sentence, word)[STORY_HEAD])

    each = [(s.name == NAME, share(s.text, s.speaker), share(s.text, s.name)) for s in evaluate.sentences()]
    speaker, name = (np.mean([shares[i] for shares in each]) for i in (1, 2))
    alice, others = (np.mean([name for is_alice, _, name in each if is_alice is wanted]) for wanted in (True, False))
    numbers = (share(SENTENCE, SPEAKER), share(SENTENCE, NAME), speaker, name, alice, others)
    return contract.Naming(*(round(float(x), 4) for x in numbers))


def trained_in(run: Path) -> Trained:
    """What a finished run left in its folder. Raises SystemExit where it is not finished."""
    if not (run / "resume.pt").exists():
        raise SystemExit(f"{run} holds no training run; make one with: make train")
    saved = torch.load(run / "resume.pt", weights_only=False)
    try:
        settings = Settings(**saved["identity"]["settings"])
    except (KeyError, TypeError):
        raise SystemExit(f"{run} is of a run with settings that this code does not know; delete it, then: make train") from None
    if saved["step"] != settings.steps:
        raise SystemExit(f"the run stopped at step {saved['step']} of {settings.steps}; go on with: make train")

    def model_of(weights: dict) -> GPT:
        model = GPT(config_of(settings))
        model.load_state_dict(weights)
        return model

    earlier = {}
    for step in sorted(checkpoint_steps(settings.steps) - {settings.steps}):
        kept = torch.load(run / f"step-{step:06}.pt", weights_only=False)
        if kept["identity"] != saved["identity"]:
            raise SystemExit(f"{run}: step {step} is of another run; delete the folder, then: make train")
        earlier[step] = model_of(kept["model"])
    return Trained(model_of(saved["model"]), run / "tokenizer.json", asdict(settings), saved["log"], earlier)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, default=RUN, help="where the training left its checkpoints")
    parser.add_argument("--out", type=Path, default=ARTIFACTS)
    args = parser.parse_args()
    torch.set_num_threads(1)  # sums over more round otherwise
    manifest = export(trained_in(args.run), corpus.load(), args.out)
    print(json.dumps({"bits_per_byte": manifest.evaluation.bits_per_byte, **asdict(manifest)["files"]}, indent=1))


if __name__ == "__main__":
    main()
