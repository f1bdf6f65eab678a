"""An artefact that breaks the contract is refused with the name of what is missing."""

import json
import shutil

import onnx
import pytest

from model import manifest
from model.manifest import ARTIFACTS, ArtifactError
from model.runtime import Runtime


@pytest.fixture
def copy(tmp_path):
    """A copy of the shipped artefacts, to break."""
    return shutil.copytree(ARTIFACTS, tmp_path / "artifacts")


def edit(path, change):
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content), "utf-8")


def drop_output(path, name):
    """Take an output out of a model file, and tell the manifest of the new file."""
    proto = onnx.load(path)
    proto.graph.output.remove(next(o for o in proto.graph.output if o.name == name))
    onnx.save(proto, path)
    return manifest.File.of(path)


def test_the_shipped_artefacts_keep_the_contract():
    shipped = manifest.read()
    assert list(shipped.inputs) == list(manifest.INPUTS)
    assert list(shipped.outputs) == list(manifest.OUTPUTS)
    assert shipped.files["model.onnx"].bytes <= manifest.MAX_MODEL_BYTES


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "manifest.json"])
def test_a_missing_file_is_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(ArtifactError, match=f"{name} is missing; make it with: make train"):
        Runtime.load(copy)


def test_a_changed_file_is_named(copy):
    with (copy / "tokenizer.json").open("a") as file:
        file.write(" ")
    with pytest.raises(ArtifactError, match=r"tokenizer.json is not the file that manifest.json describes"):
        Runtime.load(copy)


@pytest.mark.parametrize("name", ["scores", "token_embedding"])
def test_a_model_without_an_output_is_refused_by_its_name(copy, name):
    new = drop_output(copy / "model.onnx", name)
    edit(copy / "manifest.json", lambda m: m["files"]["model.onnx"].update(sha256=new.sha256, bytes=new.bytes))
    with pytest.raises(ArtifactError, match=f"lacks output {name}"):
        Runtime.load(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.pop("config"), r"manifest.json lacks config"),
        (lambda m: m["config"].pop("head_size"), r"manifest.json.config lacks head_size"),
        (lambda m: m["inputs"].pop("past_k"), r"lacks input past_k"),
        (lambda m: m["config"].update(layers="two"), r'config.layers is "two", expected'),
        (lambda m: m["files"].pop("model.onnx"), r"files does not name model.onnx"),
        (lambda m: m.update(format=1), r"format 1 is not 2"),
        (lambda m: m["heads"][0].pop("verdict"), r"heads\[0\] lacks verdict"),
        (lambda m: m["heads"].pop(), r"heads does not list each of 2 × 4 heads once"),
        (lambda m: m.update(colour="red"), r"manifest.json has unknown colour"),
        (lambda m: m["config"].update(width=7), r"4 heads of 48 do not make the width 7"),
        (lambda m: m["inputs"]["tokens"].update(shape=[9]), r"input tokens is int64 \[9\], expected int64 \[1, 'T'\]"),
        (lambda m: m["outputs"]["logits"].update(dtype="float16"), r"output logits is float16"),
    ],
)
def test_a_manifest_that_breaks_the_contract_is_refused_by_name(copy, change, message):
    edit(copy / "manifest.json", change)
    with pytest.raises(ArtifactError, match=message):
        Runtime.load(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"context": 256}, r"output position_embedding is float32 \[128, 192\]"),
        ({"heads": 8, "head_size": 24}, r"input head_mask is float32 \[2, 4\], expected float32 \['L', 'H'\]"),
    ],
)
def test_a_model_of_another_size_than_the_manifest_says_is_refused(copy, change, message):
    def resize(m):
        m["config"].update(change)
        row = m["heads"][0]
        heads = range(m["config"]["heads"])
        m["heads"] = [{**row, "layer": layer, "head": head} for layer in range(2) for head in heads]

    edit(copy / "manifest.json", resize)
    with pytest.raises(ArtifactError, match=message):
        Runtime.load(copy)


def test_a_file_that_is_no_model_is_refused(copy):
    (copy / "model.onnx").write_bytes(b"<html>not a model</html>")
    new = manifest.File.of(copy / "model.onnx")
    edit(copy / "manifest.json", lambda m: m["files"]["model.onnx"].update(sha256=new.sha256, bytes=new.bytes))
    with pytest.raises(ArtifactError, match="no model that onnxruntime can read"):
        Runtime.load(copy)


def test_a_tokenizer_with_special_tokens_is_refused(copy):
    path = copy / "tokenizer.json"
    token = {"content": "<|end|>", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    edit(path, lambda t: t["added_tokens"].append({"id": 5, "special": True, **token}))
    edit(path, lambda t: t["model"]["vocab"].update({"<|end|>": t["model"]["vocab"].pop("%")}))
    new = manifest.File.of(path)
    edit(copy / "manifest.json", lambda m: m["files"]["tokenizer.json"].update(sha256=new.sha256, bytes=new.bytes))
    with pytest.raises(ArtifactError, match=r"tokenizer\.json has special tokens"):
        Runtime.load(copy)
