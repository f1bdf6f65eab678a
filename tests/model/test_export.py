"""PyTorch and the exported file are one model."""

import math
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer

from model import corpus, export, manifest
from model.gpt import GPT, GPTConfig, Switches
from model.runtime import Runtime
from model.train import Run, Settings, config_of

CONFIG = GPTConfig()


def lively(seed: int = 0) -> GPT:
    """An untrained model whose rows are far from even, so that agreement means something; every parameter non-trivial."""
    torch.manual_seed(seed)
    model = GPT(CONFIG)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "query" in name or "key" in name:
                weight.mul_(8)
            if "norm" in name:
                weight.add_(torch.randn_like(weight) * 0.1)
    return export.rounded(model)


@pytest.fixture(scope="module")
def model() -> GPT:
    return lively()


@pytest.fixture(scope="module")
def path(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "model.onnx"
    export.to_onnx(model, path)
    return path


@pytest.fixture(scope="module")
def session(path) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(str(path))


def both(model: GPT, session, T: int, P: int = 0, seed: int = 0) -> tuple[dict, dict]:
    """All outputs of PyTorch and of onnxruntime on one random input, nothing at its default."""
    rng = torch.Generator().manual_seed(seed)
    c = model.config
    switches = Switches(
        torch.rand(1, generator=rng),
        torch.rand(c.layers, c.heads, generator=rng),
        torch.rand(c.layers, generator=rng),
        torch.randn(c.layers, c.heads, P, c.head_size, generator=rng),
        torch.randn(c.layers, c.heads, P, c.head_size, generator=rng),
    )
    tokens = torch.randint(c.vocabulary, (1, T), generator=rng)
    positions = torch.randperm(c.context, generator=rng)[:T]
    inputs = (tokens, positions, *switches)
    with torch.no_grad():
        expected = dict(zip(manifest.OUTPUTS, export.Contract(model)(*inputs), strict=True))
    feeds = {name: value.numpy() for name, value in zip(manifest.INPUTS, inputs, strict=True)}
    found = dict(zip(manifest.OUTPUTS, session.run(list(manifest.OUTPUTS), feeds), strict=True))
    return {name: value.detach().numpy() for name, value in expected.items()}, found


@pytest.mark.parametrize(("T", "P"), [(1, 0), (2, 0), (17, 0), (128, 0), (1, 1), (1, 127), (17, 5)])
def test_pytorch_and_onnxruntime_agree_on_every_output(model, session, T, P):
    expected, found = both(model, session, T, P)
    np.testing.assert_allclose(found["pattern"], expected["pattern"], atol=1e-5)
    for name in manifest.OUTPUTS:
        assert found[name].shape == expected[name].shape, name
        np.testing.assert_allclose(found[name], expected[name], atol=2e-4, err_msg=name)


def test_exporting_twice_gives_equal_bytes(model, path, tmp_path):
    export.to_onnx(model, tmp_path / "again.onnx")
    assert (tmp_path / "again.onnx").read_bytes() == path.read_bytes()


def test_the_file_holds_each_weight_once_in_8_or_16_bits_and_no_paths(path):
    proto = onnx.load(path)
    arrays = {w.name: numpy_helper.to_array(w) for w in proto.graph.initializer}
    weights = {name: array for name, array in arrays.items() if name.endswith((".int8", ".half"))}
    assert {array.dtype for name, array in weights.items() if array.ndim == 2} == {np.dtype(np.int8)}
    assert {array.dtype for name, array in weights.items() if array.ndim == 1} == {np.dtype(np.float16)}
    assert sum(array.size for array in weights.values()) == sum(p.numel() for p in GPT(CONFIG).parameters())
    rest = [array.size for name, array in arrays.items() if name not in weights and not name.endswith(".scale")]
    assert max(rest) < 16  # shapes and such
    assert b".py" not in path.read_bytes()


def test_8_bits_move_no_weight_by_more_than_half_a_step_and_rounding_again_changes_nothing():
    torch.manual_seed(1)
    model = GPT(CONFIG)
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    after = {name: weight.detach().clone() for name, weight in export.rounded(model).named_parameters()}
    for name, weight in before.items():
        if weight.dim() == 2:  # a step is a 127th of the greatest of its column, or of its row in a table
            step = weight.abs().amax(1 if "embedding" in name else 0, keepdim=True) / 127
            assert ((weight - after[name]).abs() <= 0.5005 * step).all(), name
            assert (weight != after[name]).any(), name
    again = dict(export.rounded(model).named_parameters())
    assert all(torch.equal(weight, again[name]) for name, weight in after.items())


def test_a_head_of_large_scores_is_damped_by_halves_and_no_other():
    model = lively()
    tokens = torch.arange(60).reshape(3, 20)
    query, size = model.blocks[1].attention.query.weight, model.config.head_size
    with torch.no_grad():
        query[:, 2 * size : 3 * size] *= 2**12
        before = query.clone()
        export.damp(model, tokens)
        scores = model(tokens, torch.arange(20), Switches.off(model.config))[2][1].scores.tril()
    factors = [
        (now / was)[was != 0].unique().tolist() for now, was in zip(query.split(size, 1), before.split(size, 1), strict=True)
    ]
    [damped] = factors[2]
    assert factors == [[1], [1], [damped], [1]]
    assert damped < 1
    assert math.log2(damped) % 1 == 0
    assert export.MOST_SCORE / 2 < float(scores[:, 2].abs().max()) <= export.MOST_SCORE
    still = query.clone()
    assert torch.equal(dict(export.rounded(model).named_parameters())["blocks.1.attention.query.weight"], still)


def test_a_column_of_zeros_stays_zero():
    assert export.scales(torch.tensor([[0.0, 1.0], [0.0, -127.0]]), by_row=False).tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize("order", [[1, 0, 2, 3], [3, 1, 0, 2]])
def test_heads_in_another_order_compute_the_same(order):
    model, other = lively(), lively()
    export.reorder_heads(other, 1, order)
    tokens = torch.arange(20)[None]
    with torch.no_grad():
        logits, _, attended = model(tokens, torch.arange(20), Switches.off(model.config))
        reordered, _, seen = other(tokens, torch.arange(20), Switches.off(model.config))
    torch.testing.assert_close(reordered, logits, atol=1e-5, rtol=0)
    torch.testing.assert_close(seen[1].pattern, attended[1].pattern[:, order], atol=1e-6, rtol=0)


def in_pytorch(path: Path, config: manifest.Config) -> GPT:
    """The weights taken out of a file, by name, worked out by numpy, and put into PyTorch."""
    arrays = {w.name.removeprefix("model."): numpy_helper.to_array(w) for w in onnx.load(path).graph.initializer}
    weights = {}
    for name, array in arrays.items():
        if name.endswith(".half"):
            weights[name.removesuffix(".half")] = array.astype("f4")
        elif name.endswith(".int8"):
            weights[name.removesuffix(".int8")] = array.astype("f4") * arrays[name.replace(".int8", ".scale")]
    for table in ("token_embedding", "position_embedding", "final_norm"):
        weights[f"{table}.weight"] = weights.pop(table)
    model = GPT(GPTConfig(config.layers, config.heads, config.width, config.vocabulary, config.context))
    model.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
    return model.eval()


@pytest.mark.parametrize(("T", "seed"), [(1, 0), (2, 0), (17, 0), *((128, seed) for seed in range(8))])
def test_the_shipped_file_is_the_model_of_gpt_py(runtime, T, seed):
    tokens = torch.randint(1024, (1, T), generator=torch.Generator().manual_seed(seed))
    model = in_pytorch(manifest.ARTIFACTS / "model.onnx", runtime.manifest.config)
    with torch.no_grad():
        logits, residual, attended = model(tokens, torch.arange(T), Switches.off(model.config))
    found = runtime.run(tokens[0].tolist(), ["pattern", "logits", "residual"])
    for layer, seen in enumerate(attended):
        np.testing.assert_allclose(found["pattern"][layer], seen.pattern[0], atol=1e-5)
    np.testing.assert_allclose(found["residual"], residual[:, 0], atol=1e-4)
    np.testing.assert_allclose(found["logits"], logits[0], atol=1e-3)


def test_an_export_puts_the_heads_of_the_story_in_their_places(tmp_path, runtime):
    """The head of layer 2 that looks from «said» to «Alice» most is the third; the widest of layer 1 the first."""
    text = "The king turned sharply to Alice and said. "
    texts = [corpus.Text(corpus.WORKS[0], text * 40, text * 40)]
    trained = export.Trained(lively(seed=3), manifest.ARTIFACTS / "tokenizer.json", {"steps": 0}, [])
    written = export.export(trained, texts, tmp_path)
    assert written == manifest.read(tmp_path)
    tokens = Runtime.load(tmp_path).encode(export.SENTENCE)
    pattern = Runtime.load(tmp_path).run([token.id for token in tokens])["pattern"]  # (L, H, T, S)
    alice = [token.text for token in tokens].index(" Alice")
    row = pattern[:, :, -1].astype(float)  # (L, H, S)
    assert row[1, :, alice].argmax() == 2
    assert (-(row[0] * np.log(row[0])).sum(-1)).argmax() == 0


def test_what_the_model_was_earlier_is_written_in_the_same_contract_and_order(tmp_path):
    text = "The king turned sharply to Alice and said. "
    texts = [corpus.Text(corpus.WORKS[0], text * 40, text * 40)]
    last, before = lively(seed=8), lively(seed=4)
    swapped, unordered = before.blocks[1].attention.out.weight.detach().clone(), lively(seed=4)
    orders = export.story_order(export.rounded(last), Tokenizer.from_file(str(manifest.ARTIFACTS / "tokenizer.json")))
    assert orders[1] != [0, 1, 2, 3], "another seed is needed, or nothing is put in order"
    trained = export.Trained(last, manifest.ARTIFACTS / "tokenizer.json", {"batch": 32}, [], {16: before})
    written = export.export(trained, texts, tmp_path)
    [kept] = written.checkpoints
    assert (kept.step, kept.tokens, kept.file) == (16, 16 * 32 * 128, "checkpoints/step-000016.onnx")
    shipped = in_pytorch(tmp_path / kept.file, written.config)
    size = CONFIG.head_size
    rows = [size * head + i for head in orders[1] for i in range(size)]
    torch.testing.assert_close(shipped.blocks[1].attention.out.weight, swapped[rows])
    tokens = torch.arange(9)[None]  # queries, keys and values have moved together with what they write
    with torch.no_grad():
        torch.testing.assert_close(shipped.predict(tokens), unordered.predict(tokens), atol=1e-5, rtol=0)
    (tmp_path / kept.file).write_bytes(b"other")
    with pytest.raises(manifest.ArtifactError, match=r"step-000016.onnx is not the file"):
        manifest.read(tmp_path)


def test_a_folder_without_a_finished_run_of_its_own_is_told_from_one(tmp_path):
    with pytest.raises(SystemExit, match=r"holds no training run; make one with: make train"):
        export.trained_in(tmp_path)
    settings = Settings(width=32, steps=20, batch=2, copy_steps=0, log_every=20)
    texts = [corpus.Text(corpus.WORKS[0], "A fox looked at the moon, and the moon looked back. " * 40, "")]
    run = Run(settings, tmp_path, texts, config_of(settings))
    run.to(10)
    with pytest.raises(SystemExit, match="stopped at step 10 of 20"):
        export.trained_in(tmp_path)
    run.to(20)
    assert sorted(export.trained_in(tmp_path).earlier) == [0, 16]
    kept = torch.load(tmp_path / "step-000016.pt", weights_only=False)
    torch.save({**kept, "identity": {}}, tmp_path / "step-000016.pt")
    with pytest.raises(SystemExit, match="step 16 is of another run"):
        export.trained_in(tmp_path)
