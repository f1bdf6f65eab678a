"""A short run, on a text of our own: it learns, it resumes to the same result, and its batches are what they say."""

import dataclasses
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from model import corpus, evaluate, manifest, train
from model.gpt import GPT, GPTConfig
from model.train import Run, Settings

STORY = "".join(
    f'The {who} looked at the {what}, and the {what} looked back. "Who is there?" said the {who}.\n'
    for who in ("baker", "heron", "miller", "queen", "tailor", "fox")
    for what in ("moon", "kettle", "river", "clock", "sparrow", "well", "candle")
)
TINY = GPTConfig(width=32, vocabulary=300, context=32, dropout=0.1)
SHORT = Settings(steps=60, batch=8, copy_steps=10, warmup=5, log_every=20, save_every=20)


def one_work(ids: np.ndarray) -> train.Diet:
    return train.Diet([ids], np.ones(1), np.ones(1))


@pytest.fixture
def texts() -> list[corpus.Text]:
    return [corpus.Text(dataclasses.replace(corpus.WORKS[0], weight=1), *corpus.split(STORY))]


def test_a_short_run_starts_at_chance_and_lowers_the_loss(tmp_path, texts):
    run = Run(SHORT, tmp_path, texts, TINY)
    run.to(SHORT.steps)
    assert [line["step"] for line in run.log] == [0, 20, 40, 60]
    assert run.log[0]["loss"] == pytest.approx(math.log(TINY.vocabulary), abs=0.1)
    assert run.log[-1]["loss"] < run.log[0]["loss"] - 1


def test_the_shipped_model_was_trained_with_the_settings_that_make_train_uses():
    assert manifest.read().training.settings == dataclasses.asdict(Settings())


def test_two_processes_make_the_same_steps_as_one(tmp_path):
    """Twenty steps at the same global batch, half of it in each of two processes; dropout is off."""
    script = [str(Path(__file__).with_name("shared_run.py"))]
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    logs = []
    for name, how in (("one", []), ("two", launcher)):
        out = tmp_path / name
        run = subprocess.run([sys.executable, *how, *script, str(out)], capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        logs.append(json.loads((out / "log.json").read_text()))
    one, two = ([(line["loss"], line["copy_loss"]) for line in log] for log in logs)
    assert len(one) == 21
    assert one[-1][0] < one[0][0] - 0.5
    # Products are made in 16 bits: a batch of another height is rounded otherwise in its last digits.
    np.testing.assert_allclose(two, one, atol=5e-3)


def test_every_parameter_learns_by_one_optimizer():
    model = GPT(TINY)
    for kind, by_muon in (("muon", 12), ("hybrid", 8), ("adamw", 0)):
        made = train.optimizers(model, dataclasses.replace(SHORT, optimizer=kind))
        learned = [id(p) for optimizer in made for group in optimizer.param_groups for p in group["params"]]
        assert sorted(learned) == sorted(id(p) for p in model.parameters())
        muon = [p for o in made if isinstance(o, torch.optim.Muon) for group in o.param_groups for p in group["params"]]
        assert len(muon) == by_muon
        assert all(p.dim() == 2 for p in muon)


def test_novels_are_read_until_their_time_is_over():
    settings = dataclasses.replace(SHORT, copy_steps=0, copy_share=0.0, novels_until=0.5)
    diet = train.Diet([np.arange(1000), 1000 + np.arange(1000)], np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    config = dataclasses.replace(TINY, vocabulary=2000)
    novels = [bool((train.batch(step, diet, settings, config)[0] >= 1000).any()) for step in (0, 29, 30, 59)]
    assert novels == [True, True, False, False]


def test_half_of_what_is_read_of_alice_is_about_other_girls_than_those_of_the_sentences():
    text = "Alice was tired. Then Alice slept.\n"
    encoder = train.tokenizer.train([corpus.Text(corpus.WORKS[0], text, "")], 300)
    read = encoder.decode(list(train.renamed(corpus.Text(corpus.WORKS[0], text, ""), encoder)))
    told = re.findall(r"(\w+) was tired\. Then (\w+) slept\.\n", read)
    assert "".join(f"{one} was tired. Then {other} slept.\n" for one, other in told) == read
    assert all(one == other for one, other in told)
    names = [one for one, _ in told]
    assert names.count("Alice") == len(names) / 2
    others = set(names) - {"Alice"}
    assert len(others) == 12
    assert not others & {sentence.name for sentence in evaluate.sentences()}


def test_a_work_without_alice_is_read_as_it_is():
    class Letters:
        def encode(self, text):
            return type("Encoding", (), {"ids": list(text.encode())})

    texts = [corpus.Text(work, text, "") for work, text in zip(corpus.WORKS, ("Alice slept.", "The fox slept."), strict=False)]
    plain, changed = (train.Diet.of(texts, Letters(), rename) for rename in (False, True))
    assert plain.ids[1].tolist() == changed.ids[1].tolist() == list(b"The fox slept.")
    assert len(changed.ids[0]) > len(plain.ids[0])
    np.testing.assert_array_equal(plain.mixed, changed.mixed)  # and she no more often than before


def test_a_killed_run_resumes_to_the_same_result(tmp_path, texts):
    whole = Run(SHORT, tmp_path / "whole", texts, TINY)
    whole.to(SHORT.steps)
    Run(SHORT, tmp_path / "killed", texts, TINY).to(27)
    resumed = Run(SHORT, tmp_path / "killed", texts, TINY)
    assert resumed.step == 27
    resumed.to(SHORT.steps)
    for name, weight in whole.model.state_dict().items():
        assert torch.equal(weight, resumed.model.state_dict()[name]), name
    measured = [[{**line, "seconds": 0} for line in run.log if line["step"] != 27] for run in (whole, resumed)]
    assert measured[0] == measured[1]


def test_a_run_that_is_past_the_end_stops_at_once(tmp_path, texts):
    Run(SHORT, tmp_path, texts, TINY).to(6)
    resumed = Run(SHORT, tmp_path, texts, TINY)
    resumed.to(3)
    assert resumed.step == 6


def test_a_run_of_other_settings_is_not_continued(tmp_path, texts):
    Run(SHORT, tmp_path, texts, TINY).to(1)
    with pytest.raises(SystemExit, match="other settings; delete"):
        Run(dataclasses.replace(SHORT, seed=2), tmp_path, texts, TINY)


def test_copy_rows_ask_only_for_what_was_seen_before():
    inputs, targets = train.copy_rows(1000, 50, 128, np.random.default_rng(0))
    for row, wanted in zip(inputs, targets, strict=True):
        asked = np.flatnonzero(wanted != evaluate.IGNORE)
        assert len(asked) > 128 - 50
        for t in asked[:5]:
            assert wanted[t] in row[: t + 1]


def test_story_rows_are_consecutive_text_and_their_own_next_tokens(texts):
    ids = np.arange(1000)
    inputs, targets = train.story_rows(one_work(ids), np.ones(1), 20, 64, np.random.default_rng(0))
    assert (np.diff(inputs, axis=1) == 1).all()
    assert (targets == inputs + 1).all()


def test_the_copy_share_of_a_batch(texts):
    diet = one_work(np.arange(1000))
    settings = Settings(batch=30, copy_steps=5, copy_share=1 / 6)
    lesson, later = (train.batch(step, diet, settings, GPTConfig())[0] for step in (4, 5))
    stories = [(row.diff() == 1).all().item() for row in later]
    assert not any((row.diff() == 1).all() for row in lesson)
    assert sum(stories) == 25


def test_heads_that_do_not_take_the_lesson_learn_nothing_from_it(texts):
    settings = dataclasses.replace(SHORT, weight_decay=0.0)
    diet = one_work(np.arange(TINY.vocabulary))
    torch.manual_seed(0)
    model = GPT(TINY)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    train.train_step(model, train.optimizers(model, settings), 0, diet, settings, TINY)
    after, size = model.state_dict(), TINY.head_size
    for layer in range(TINY.layers):
        for name in ("query", "key", "value"):
            weight = f"blocks.{layer}.attention.{name}.weight"
            changed = (after[weight] != before[weight]).any(0).view(TINY.heads, size).any(1)
            assert changed.tolist() == [True, False, False, False], weight


def test_which_heads_are_there_for_which_rows():
    settings = dataclasses.replace(SHORT, steps=60, batch=8, copy_steps=10, copy_share=1 / 4, apart_until=0.5)
    heads = TINY.heads
    lesson, apart, together = (train.head_mask(step, settings, TINY) for step in (9, 29, 30))
    assert lesson.tolist() == [[[1, 0, 0, 0]] * 8] * 2
    assert apart.tolist() == [[[1] * heads] * 8, [[1] * heads] * 2 + [[0, 1, 1, 1]] * 6]
    assert together.tolist() == [[[1] * heads] * 8] * 2


def test_a_head_that_is_not_there_for_a_row_learns_nothing_from_it():
    settings = dataclasses.replace(SHORT, copy_steps=0, copy_share=0.0, apart_until=1.0, weight_decay=0.0)
    diet = one_work(np.arange(TINY.vocabulary))
    torch.manual_seed(0)
    model = GPT(TINY)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    train.train_step(model, train.optimizers(model, settings), 0, diet, settings, TINY)
    after, size = model.state_dict(), TINY.head_size
    for layer, taught in ((0, [True] * 4), (1, [False, True, True, True])):
        weight = f"blocks.{layer}.attention.query.weight"
        assert (after[weight] != before[weight]).any(0).view(TINY.heads, size).any(1).tolist() == taught, weight


def test_indecision_is_the_entropy_of_rows():
    T = 8
    even, sure = torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None], torch.eye(T)
    pattern = torch.stack([even, sure]).expand(3, 2, T, T).clone().requires_grad_()  # two heads in each of three rows
    found = train.indecision(pattern)
    assert float(found.detach()) == pytest.approx(sum(math.log(t) for t in range(1, T + 1)) / T, rel=1e-6)
    found.backward()
    assert pattern.grad is not None
    assert bool(pattern.grad.isfinite().all())


def test_the_fee_for_indecision_is_paid_in_full_and_then_falls_to_nothing():
    settings = dataclasses.replace(SHORT, steps=80, decisive=0.02, decisive_from=0.25, decisive_until=0.5)
    fees = [train.fee(step, settings) for step in (0, 19, 20, 40, 50, 60, 80)]
    assert fees == pytest.approx([0, 0, 0.02, 0.02, 0.015, 0.01, 0])


def test_rows_get_more_decided_when_that_is_asked_for(tmp_path, texts):
    runs = [Run(dataclasses.replace(SHORT, decisive=d, decisive_from=0.0), tmp_path / str(d), texts, TINY) for d in (0.0, 1.0)]
    for run in runs:
        run.to(SHORT.steps)
    rows = train.batch(SHORT.steps, runs[0].diet, SHORT, TINY)[0]
    free, asked = (float(train.indecision(evaluate.patterns(run.model.eval(), rows)[:, -1])) for run in runs)
    assert asked < 0.9 * free


@pytest.mark.parametrize("n", [2, 5, 33, 64, 65, 200])
def test_windows_predict_every_token_but_the_first_exactly_once(n):
    ids = list(range(100, 100 + n))
    inputs, targets = evaluate.windows(ids, 32)
    counted = targets != evaluate.IGNORE
    assert targets[counted].tolist() == ids[1:]
    assert inputs[counted].tolist() == ids[:-1]


def test_bits_per_byte_of_a_blind_guess_is_what_arithmetic_says(tmp_path, texts):
    """A model whose logits are all equal pays log2(V) bits a token."""
    encoder = train.tokenizer.train(texts, 300)
    model = GPT(TINY)
    torch.nn.init.zeros_(model.token_embedding.weight)
    score = evaluate.score(model, encoder, STORY)
    tokens, size = len(encoder.encode(STORY).ids) - 1, len(STORY.encode()) - 1
    assert score.tokens == tokens
    assert score.bytes in range(size - 8, size + 1)  # the first token is not predicted
    assert score.bits_per_byte == pytest.approx(math.log2(300) * tokens / score.bytes, rel=1e-5)
