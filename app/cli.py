"""lookback serve | check | build."""


def main() -> None:
    raise SystemExit("not yet")
