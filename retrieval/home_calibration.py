"""A home's own calibration: what `oraculo calibrate --save` fitted on a team's questions wins over the shipped one."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from retrieval.relevance import SIGNAL_NAMES, Calibration, Prior, calibration_for

CALIBRATION_FILE = "calibration.json"


def home_calibration(home: Path, model: str) -> tuple[Calibration, tuple[str, ...]]:
    """Give the calibration that serves a model in a home, and the warning that its file deserves, if any.

    The shipped one serves where the home has none, and where its file is damaged or of another version.
    """
    path = home / CALIBRATION_FILE
    try:
        own = _own(path).get(model)
        return (calibration_for(model) if own is None else _calibration(model, own)), ()
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        mend = "fit it again with `oraculo calibrate FILE.csv --save`, or delete it"
        return calibration_for(model), (f"{path}: cannot be used, and the shipped calibration serves; {mend}",)


def save_calibration(home: Path, model: str, fitted: Mapping[str, object]) -> Path:
    """Write a model's calibration, in one step and beside those of other models, and give where.

    `fitted` is what `as_json` of a calibration gives, and whatever tells where it comes from.
    """
    path = home / CALIBRATION_FILE
    try:
        kept = dict(_own(path))
    except (OSError, ValueError, TypeError):
        kept = {}
    home.mkdir(parents=True, exist_ok=True)
    written = home / f".{CALIBRATION_FILE}.{os.getpid()}"
    with written.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps({**kept, model: fitted}, indent=1) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    written.replace(path)
    return path


def calibration_mark(home: Path) -> tuple[int, int] | None:
    """Give what changes whenever the file is replaced; None without one."""
    try:
        found = (home / CALIBRATION_FILE).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def _own(path: Path) -> Mapping[str, Any]:
    """Read the file: calibrations by model. One that is not there holds none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError("not an object")
    return found


def _calibration(model: str, own: Mapping[str, Any]) -> Calibration:
    weights = {str(name): _number(weight) for name, weight in own["weights"].items()}
    if not weights.keys() <= set(SIGNAL_NAMES):
        raise ValueError("signals of another version")
    prior = Prior(**{name: _number(value) for name, value in own["prior"].items()})
    return Calibration(model, _number(own["bias"]), weights, prior)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)
