"""Set before anything imports onnxruntime: no telemetry files; and hypothesis draws the same examples on every run."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from hypothesis import settings

settings.register_profile("deterministic", derandomize=True, deadline=None, database=None)
settings.load_profile("deterministic")
