"""What the shipped model promises, asked of the file itself."""

import math

import numpy as np
import pytest

from model.runtime import Runtime

LENGTHS = (1, 2, 17, 128)


def ids(n: int, runtime: Runtime, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(runtime.manifest.config.vocabulary, size=n).tolist()


@pytest.mark.parametrize("T", LENGTHS)
def test_rows_add_up_to_one_and_nothing_looks_ahead(runtime, T):
    pattern = runtime.run(ids(T, runtime))["pattern"]
    np.testing.assert_allclose(pattern.sum(-1), 1, atol=1e-6)
    assert (np.triu(pattern, 1) == 0).all()


@pytest.mark.parametrize("T", LENGTHS)
def test_scores_are_products_of_queries_and_keys_over_root_dh(runtime, T):
    out = runtime.run(ids(T, runtime), ["scores", "q", "k", "pattern", "v"])
    scores = np.einsum("lhtd,lhsd->lhts", out["q"], out["k"]) / math.sqrt(runtime.manifest.config.head_size)
    np.testing.assert_allclose(out["scores"], scores, atol=1e-4)
    masked = np.where(np.tril(np.ones((T, T), bool)), out["scores"].astype(np.float64), -np.inf)
    weights = np.exp(masked - masked.max(-1, keepdims=True))
    np.testing.assert_allclose(out["pattern"], weights / weights.sum(-1, keepdims=True), atol=1e-6)


@pytest.mark.parametrize("cut", [1, 9, 127])
def test_later_tokens_never_change_earlier_rows(runtime, cut):
    text = ids(128, runtime)
    other = text[:cut] + ids(128 - cut, runtime, seed=1)
    first, second = (runtime.run(t, ["pattern", "logits"]) for t in (text, other))
    np.testing.assert_allclose(first["pattern"][:, :, :cut], second["pattern"][:, :, :cut], atol=1e-6)
    np.testing.assert_allclose(first["logits"][:cut], second["logits"][:cut], atol=1e-4)
    assert abs(first["logits"][cut:] - second["logits"][cut:]).max() > 0.1


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (0, 3), (1, 2)])
def test_a_silenced_head_changes_what_comes_after_it_and_nothing_before(runtime, layer, head):
    mask = np.ones((runtime.manifest.config.layers, runtime.manifest.config.heads))
    mask[layer, head] = 0
    text, wanted = ids(40, runtime), ["residual", "pattern", "logits"]
    plain, silenced = runtime.run(text, wanted), runtime.run(text, wanted, head_mask=mask)
    written = 2 * layer + 1  # the stream after this layer's attention half
    np.testing.assert_array_equal(plain["residual"][:written], silenced["residual"][:written])
    np.testing.assert_array_equal(plain["pattern"][: layer + 1], silenced["pattern"][: layer + 1])
    assert (abs(plain["residual"][written:] - silenced["residual"][written:]).max((1, 2)) > 1e-3).all()
    assert abs(plain["logits"] - silenced["logits"]).max() > 1e-3


@pytest.mark.parametrize("layer", [0, 1])
def test_a_silenced_feed_forward_half_adds_nothing(runtime, layer):
    mask = np.ones(runtime.manifest.config.layers)
    mask[layer] = 0
    text = ids(40, runtime)
    plain = runtime.run(text, ["residual"])["residual"]
    silenced = runtime.run(text, ["residual"], mlp_mask=mask)["residual"]
    before, after = 2 * layer + 1, 2 * layer + 2
    np.testing.assert_array_equal(plain[:after], silenced[:after])
    np.testing.assert_array_equal(silenced[after], silenced[before])
    assert abs(plain[after] - plain[before]).max() > 1e-3


@pytest.mark.parametrize("cut", [1, 20, 127])
def test_a_cached_prefix_gives_the_same_as_the_whole_text(runtime, cut):
    text, wanted = ids(128, runtime), ["pattern", "scores", "k", "v", "logits", "residual"]
    whole = runtime.run(text, wanted)
    past = {"past_k": whole["k"][:, :, :cut], "past_v": whole["v"][:, :, :cut]}
    rest = runtime.run(text[cut:], wanted, **past)
    for name in ("pattern", "scores"):
        np.testing.assert_allclose(rest[name], whole[name][:, :, cut:], atol=1e-4)
    for name in ("k", "v"):
        np.testing.assert_allclose(rest[name], whole[name], atol=1e-4)
    np.testing.assert_allclose(rest["logits"], whole["logits"][cut:], atol=1e-3)
    np.testing.assert_allclose(rest["residual"], whole["residual"][:, cut:], atol=1e-4)


def test_without_positions_layer_one_cannot_tell_order(runtime):
    """Positions off, the scores of layer 1 depend on which tokens they are and on nothing else."""
    text = ids(30, runtime)
    order = np.random.default_rng(2).permutation(30)
    plain = runtime.run(text, ["scores", "residual"], position_scale=0)
    moved = runtime.run([text[i] for i in order], ["scores", "residual"], position_scale=0)
    np.testing.assert_allclose(moved["scores"][0], plain["scores"][0][:, order][:, :, order], atol=1e-4)
    np.testing.assert_array_equal(moved["residual"][0], plain["residual"][0][order])
    with_positions = runtime.run(text, ["scores"])["scores"]
    assert abs(with_positions[0] - plain["scores"][0]).max() > 0.1


def test_shuffled_positions_move_the_places_and_not_the_tokens(runtime):
    text = ids(30, runtime)
    order = np.random.default_rng(3).permutation(30)
    table = runtime.run(text, ["position_embedding"])["position_embedding"]
    assert table.shape == (runtime.manifest.config.context, runtime.manifest.config.width)
    straight = runtime.run(text, ["q", "v"])
    shuffled = runtime.run(text, ["q", "v"], positions=order.tolist())
    np.testing.assert_array_equal(straight["v"][0], shuffled["v"][0])  # values carry no position
    assert abs(straight["q"][0] - shuffled["q"][0]).max() > 0.01
    stays = order == np.arange(30)
    np.testing.assert_allclose(straight["q"][0][:, stays], shuffled["q"][0][:, stays], atol=1e-5)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ([], "the model needs at least one token"),
        ([1] * 129, "129 tokens are more than the 128 the model can read at once"),
        ([3, 1024], "token id 1024 is not one of the 1024, 0 to 1023"),
        ([-1], "token id -1 is not one of the 1024, 0 to 1023"),
    ],
)
def test_bad_ids_are_refused_in_words(runtime, tokens, message):
    with pytest.raises(ValueError, match=message):
        runtime.run(tokens)


def test_a_cached_prefix_counts_towards_the_context(runtime):
    past = runtime.run([1] * 100, ["k", "v"])
    with pytest.raises(ValueError, match="129 tokens are more than the 128"):
        runtime.run([1] * 29, past_k=past["k"], past_v=past["v"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"positions": [-1, 0, 1]}, "position -1 is not one of the 128, 0 to 127"),
        ({"positions": [0, 1, 128]}, "position 128 is not one of the 128"),
        ({"positions": [0, 1]}, r"positions has the shape \(2,\), expected \(3,\)"),
        ({"head_mask": [1, 1]}, r"head_mask has the shape \(2,\), expected \(2, 4\)"),
        ({"mlp_mask": [1]}, r"mlp_mask has the shape \(1,\), expected \(2,\)"),
        ({"past_k": np.zeros((2, 4, 5, 48))}, r"past_v has the shape \(2, 4, 0, 48\), expected \(2, 4, 5, 48\)"),
        ({"outputs": []}, "no output was asked for"),
    ],
)
def test_a_request_that_does_not_fit_is_refused_in_words(runtime, given, message):
    with pytest.raises(ValueError, match=message):
        runtime.run([1, 2, 3], **given)


def test_an_unknown_output_is_named(runtime):
    with pytest.raises(ValueError, match="the model has no output patern"):
        runtime.run([1], ["patern"])
