"""How well training uses the machine: tokens a second with one process and with two, beside what plain products of the same
matrices reach there. `make bench`; on a machine that does nothing else, or the numbers say more about that than about training.
"""

import json
import os
import subprocess
import sys
import time

import numpy as np
import torch

from model import train
from model.gpt import GPT, GPTConfig

STEPS, REST = 30, 5  # timed, and made before the clock starts


def products(threads: int, rows: int, config: GPTConfig) -> float:
    """Multiplications and additions a second of (rows, D) @ (D, 4D) and (rows, 4D) @ (4D, D) in 16 bits."""
    torch.set_num_threads(threads)
    D = config.width
    x, up, down = (torch.randn(*shape, dtype=torch.bfloat16) for shape in ((rows, D), (D, 4 * D), (4 * D, D)))
    count = 200
    for turn in range(count + REST):
        if turn == REST:
            began = time.perf_counter()
        (x @ up) @ down
    return count * 2 * 2 * rows * 4 * D * D / (time.perf_counter() - began)


def training(threads: int) -> float:
    """Tokens a second of this process, with so many threads, and those beside it."""
    settings = train.Settings(copy_steps=0)
    config = train.config_of(settings)
    _, world = train.processes()
    torch.set_num_threads(threads)
    diet = train.Diet([np.random.default_rng(0).integers(config.vocabulary, size=100_000)], np.ones(1), np.ones(1))
    model = GPT(config)
    optimizers = train.optimizers(model, settings)
    shared = torch.nn.parallel.DistributedDataParallel(model) if world > 1 else model
    for step in range(STEPS + REST):
        if step == REST:
            began = time.perf_counter()
        train.train_step(shared, optimizers, step, diet, settings, config)
    return STEPS * settings.batch * config.context / (time.perf_counter() - began)


def weights(config: GPTConfig) -> int:
    """Those that are multiplied with every token: all but the positions; the table of tokens is, when tokens are guessed."""
    return sum(p.numel() for name, p in GPT(config).named_parameters() if p.dim() == 2 and name != "position_embedding.weight")


LAUNCHER = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
WAYS = (("one process, one thread", [], 1, 1), ("one process, two threads", [], 2, 2), ("two processes", LAUNCHER, 1, 2))


def main() -> None:
    if "WORLD_SIZE" in os.environ:
        torch.distributed.init_process_group("gloo")
    if "--threads" in sys.argv:
        speed = training(int(sys.argv[-1]))
        if train.processes()[0] == 0:
            print(json.dumps(speed))
        return
    settings = train.Settings()
    config = train.config_of(settings)
    for name, how, threads, cores in WAYS:
        ceiling = products(cores, settings.batch * config.context, config)
        command = [sys.executable, *how, __file__, "--threads", str(threads)]
        speed = float(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1])
        used = 6 * weights(config) * speed  # forwards 2, backwards 4 for each weight (Kaplan et al., 2020)
        beside = f"{used / ceiling:.0%} of the {ceiling / 1e9:,.0f} GFLOP/s of plain 16-bit products on as many cores"
        print(f"{name}: {speed:,.0f} tokens/s, {beside}")


if __name__ == "__main__":
    main()
