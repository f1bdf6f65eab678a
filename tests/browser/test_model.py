"""The model in the page agrees with onnxruntime and with PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page

from model import manifest
from model.gpt import Switches
from model.runtime import Runtime
from tests.browser.conftest import watched
from tests.browser.life import QUEEN, choose, until_status

ODD = ["«Seán» naïve Ωmega", "שׁלום", "👩‍👩‍👧‍👦", "日本語", "<b>&amp;</b>", "a\n\tb  ", "\u0085\ufeff x", "<|endoftext|>", "a\u0301"]


@pytest.fixture(scope="module")
def live(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser) as open_page:
        page = open_page(address)
        until_status(page, "live")
        yield page


def text_of(runtime: Runtime, length: int) -> str:
    """A text of exactly so many tokens."""
    words = "The king turned sharply to Alice and said that the cat had gone, " * 12
    tokens = runtime.encode(words)[:length]
    text = words[: tokens[-1].end]
    assert len(runtime.encode(text)) == length
    return text


def in_pytorch(tokens: list[int]) -> np.ndarray:
    """The pattern (L, H, T, T) of the shipped weights in PyTorch."""
    from tests.model import test_export

    model = test_export.in_pytorch(manifest.ARTIFACTS / "model.onnx", manifest.read().config)
    with torch.no_grad():
        _, _, attended = model(torch.tensor([tokens]), torch.arange(len(tokens)), Switches.off(model.config))
    return torch.cat([layer.pattern for layer in attended]).numpy()


@pytest.mark.parametrize("length", [1, 2, 17, 128])
def test_page_onnxruntime_and_pytorch_agree_on_the_pattern(live: Page, runtime: Runtime, length: int):
    text = text_of(runtime, length)
    shown = choose(live, {"text": text})["data"]
    expected = runtime.encode(text)
    assert [(t["id"], t["text"], t["start"], t["end"]) for t in shown["tokens"]] == [
        (t.id, t.text, t.start, t.end) for t in expected
    ]
    ids = [t.id for t in expected]
    pattern = np.array(shown["pattern"])
    assert pattern.shape == (2, 4, length, length)
    np.testing.assert_allclose(pattern, runtime.run(ids)["pattern"], atol=1e-5)
    np.testing.assert_allclose(pattern, in_pytorch(ids), atol=1e-5)


def test_the_live_page_recomputes_what_was_printed(live: Page, runtime: Runtime):
    choose(live, {"text": "another"})
    shown = choose(live, QUEEN)["data"]
    assert shown["difference"] <= 1e-5
    ids = [t.id for t in runtime.encode(QUEEN["text"])]
    np.testing.assert_allclose(shown["pattern"], runtime.run(ids)["pattern"], atol=1e-5)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_the_same_tokens_as_in_python(live: Page, runtime: Runtime, text: str):
    shown = choose(live, {"text": text})["data"]
    assert [(t["id"], t["start"], t["end"]) for t in shown["tokens"]] == [(t.id, t.start, t.end) for t in runtime.encode(text)]


def test_one_token_more_than_the_context_is_cut_and_counted(live: Page, runtime: Runtime):
    text = text_of(runtime, 129)
    shown = choose(live, {"text": text})["data"]
    assert len(shown["tokens"]) == 128
    assert shown["dropped"] == 1
    kept = [t.id for t in runtime.encode(text)][:128]
    np.testing.assert_allclose(shown["pattern"], runtime.run(kept)["pattern"], atol=1e-5)


def test_a_million_characters_do_not_freeze_the_page(live: Page):
    """The longest time between two of the page's own ticks, while the text is cut into tokens and run."""
    longest, count = live.evaluate(
        """() => new Promise((resolve) => {
            const queen = document.getElementById('queen');
            let [last, longest] = [performance.now(), 0];
            const clock = setInterval(() => {
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
            }, 5);
            queen.addEventListener('figurechange', () => {
                clearInterval(clock);
                resolve([longest, queen.data.dropped]);
            }, {once: true});
            queen.state = {text: 'The king turned sharply. '.repeat(40000)};
        })"""
    )
    assert count > 200_000
    assert longest < 500
