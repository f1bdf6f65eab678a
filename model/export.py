"""The trained model as three files that Python and the browser read: model.onnx, tokenizer.json, manifest.json.

Weights are rounded to 16 bits before anything is measured or written, so every number that is published is that of the
shipped file. `python -m model.export` takes the last training run.
"""

import argparse
import json
import logging
import os
import shutil
import tempfile
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn

from model import corpus, evaluate
from model import manifest as contract
from model.gpt import GPT, GPTConfig, Switches
from model.manifest import ARTIFACTS
from model.train import RUN

OPSET = 20
# The sentence of chapter 10. Heads of a layer are interchangeable, so their order is ours to choose: the head that
# looks from «said» to «Alice» most becomes layer 2, head 3; the one of layer 1 whose row there is most evenly spread
# becomes layer 1, head 1.
SENTENCE = "The Queen turned sharply to Alice and said"
STORY_HEAD, CONTRAST_HEAD = (1, 2), (0, 0)


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
    """Write the model as one file with 16-bit weights. Equal models give equal bytes."""
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
    halve(proto)
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


def halve(proto: onnx.ModelProto) -> None:
    """Keep every weight in 16 bits and cast it when the model is loaded: half the bytes of the file."""
    casts = []
    for weight in proto.graph.initializer:
        array = numpy_helper.to_array(weight)
        if array.dtype != np.float32 or array.size < 2:
            continue
        half = array.astype(np.float16)
        assert (half.astype(np.float32) == array).all(), f"{weight.name} was not rounded before export"
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(half, f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *proto.graph.node]
    del proto.graph.node[:]
    proto.graph.node.extend(nodes)


def rounded(model: GPT) -> GPT:
    """The model with the weights that 16 bits can hold."""
    return model.half().float().eval()


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
def order_for_story(model: GPT, tokenizer: Tokenizer) -> None:
    """Bring the heads that chapter 10 shows to their places."""
    encoding = tokenizer.encode(SENTENCE)
    asks, asked = encoding.tokens.index("Ġsaid"), encoding.tokens.index("ĠAlice")
    tokens = torch.tensor([encoding.ids])
    _, _, attended = model(tokens, torch.arange(tokens.shape[1]), Switches.off(model.config))
    row = torch.stack([layer.pattern[0, :, asks] for layer in attended])  # (L, H, S)
    decisive = int(row[1, :, asked].argmax())
    neg_entropy = (row[0] * row[0].clamp_min(1e-9).log()).sum(-1)  # (H,)
    spread = int(neg_entropy.argmin())
    for (layer, place), head in ((STORY_HEAD, decisive), (CONTRAST_HEAD, spread)):
        order = [h for h in range(model.config.heads) if h != head]
        order.insert(place, head)
        reorder_heads(model, layer, order)


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
    """What a training run leaves behind: the model, its tokenizer's file, and the record."""

    model: GPT
    tokenizer: Path
    settings: dict
    log: list[dict]


def export(trained: Trained, texts: list[corpus.Text], out: Path = ARTIFACTS) -> contract.Manifest:
    """Round, order, write, measure. `out` is replaced file by file, and only when all three are made."""
    model, tokenizer = rounded(trained.model), Tokenizer.from_file(str(trained.tokenizer))
    order_for_story(model, tokenizer)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as folder:
        made = Path(folder)
        to_onnx(model, made / contract.MODEL_FILE)
        shutil.copy(trained.tokenizer, made / contract.TOKENIZER_FILE)
        files = {name: contract.File.of(made / name) for name in (contract.MODEL_FILE, contract.TOKENIZER_FILE)}
        if files[contract.MODEL_FILE].bytes > contract.MAX_MODEL_BYTES:
            too_many, most = files[contract.MODEL_FILE].bytes, contract.MAX_MODEL_BYTES
            raise SystemExit(f"{contract.MODEL_FILE} has {too_many:,} bytes, more than the {most:,} agreed")
        manifest = describe(trained, model, tokenizer, texts, files)
        (made / contract.MANIFEST_FILE).write_text(manifest.to_json(), "utf-8")
        for name in (contract.MODEL_FILE, contract.TOKENIZER_FILE, contract.MANIFEST_FILE):
            os.replace(made / name, out / name)
    return contract.read(out)


def describe(
    trained: Trained, model: GPT, tokenizer: Tokenizer, texts: list[corpus.Text], files: dict[str, contract.File]
) -> contract.Manifest:
    """The manifest of a rounded and ordered model, measured here."""
    c = model.config
    scores = evaluate.score_works(model, tokenizer, texts)
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
        ),
        heads=evaluate.heads(model, tokenizer, texts),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, default=RUN, help="where the training left its checkpoints")
    parser.add_argument("--out", type=Path, default=ARTIFACTS)
    args = parser.parse_args()
    saved = torch.load(args.run / "resume.pt", weights_only=False)
    settings = saved["settings"]
    if saved["step"] != settings["steps"]:
        raise SystemExit(f"the run stopped at step {saved['step']} of {settings['steps']}; go on with: make train")
    model = GPT(GPTConfig())
    model.load_state_dict(saved["model"])
    trained = Trained(model, args.run / "tokenizer.json", settings, saved["log"])
    manifest = export(trained, corpus.load(), args.out)
    print(json.dumps({"bits_per_byte": manifest.evaluation.bits_per_byte, **asdict(manifest)["files"]}, indent=1))


if __name__ == "__main__":
    main()
