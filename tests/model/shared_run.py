"""Train the tiny model of test_train for twenty steps and write its log; alone, or one of several under torchrun."""

import dataclasses
import json
import os
import sys
from pathlib import Path

from torch import distributed

from model import corpus, train


def main() -> None:
    from test_train import SHORT, STORY, TINY  # beside this file, which alone is found when it is run

    if "WORLD_SIZE" in os.environ:
        distributed.init_process_group("gloo")
    out = Path(sys.argv[1])
    settings = dataclasses.replace(SHORT, steps=20, copy_steps=5, log_every=1)
    texts = [corpus.Text(corpus.WORKS[0], *corpus.split(STORY))]
    run = train.Run(settings, out, texts, dataclasses.replace(TINY, dropout=0.0))
    run.to(settings.steps)
    if run.rank == 0:
        (out / "log.json").write_text(json.dumps(run.log))
    if distributed.is_initialized():
        distributed.destroy_process_group()


if __name__ == "__main__":
    main()
