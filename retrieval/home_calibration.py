"""A home's own calibration: what `oraculo calibrate --save` fitted on a team's questions wins over the shipped one.

Its weights mean something only for the signals and the background of the shipped calibration that the fit began from,
so it names that one, and serves as long as that one is shipped.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from retrieval.private import private_folder
from retrieval.relevance import SIGNAL_NAMES, Calibration, calibration_for

CALIBRATION_FILE = "calibration.json"
MEND = "fit it again with `oraculo calibrate FILE.csv --save`, or delete it"


def home_calibration(home: Path, model: str) -> tuple[Calibration, tuple[str, ...]]:
    """Give the calibration that serves a model in a home, and the warning that its file deserves, if any.

    The shipped one serves where the home has none, and where its file is damaged or belongs to another shipped one.
    """
    path, shipped = home / CALIBRATION_FILE, calibration_for(model)
    try:
        own = _own(path).get(model)
        if own is None:
            return shipped, ()
        if own["fitted_from"] != fingerprint(shipped):
            return shipped, (f"{path}: was fitted for another version, and the shipped calibration serves; {MEND}",)
        return _read(own, shipped), ()
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return shipped, (f"{path}: cannot be used, and the shipped calibration serves; {MEND}",)


def save_calibration(home: Path, fitted: Calibration, questions: Mapping[str, int]) -> Path:
    """Write a calibration that began from the shipped one of its model, with the numbers of questions it was fitted on.

    The file is replaced in one step, and keeps what it holds for other models. Gives where it is.
    """
    path = home / CALIBRATION_FILE
    try:
        kept = dict(_own(path))
    except (OSError, ValueError, TypeError):
        kept = {}
    shipped = fingerprint(calibration_for(fitted.model))
    kept[fitted.model] = {"fitted_from": shipped, **_written(fitted), "questions": dict(questions)}
    private_folder(home)
    beside = home / f".{CALIBRATION_FILE}.{os.getpid()}"
    with beside.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(kept, indent=1) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
    return path


def fingerprint(calibration: Calibration) -> str:
    """Name a calibration by all it holds."""
    return hashlib.sha256(json.dumps(asdict(calibration), sort_keys=True).encode()).hexdigest()[:16]


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


def _written(calibration: Calibration) -> dict[str, object]:
    written: dict[str, object] = {"bias": calibration.bias, "weights": dict(calibration.weights)}
    return {**written, "foreign": _written(calibration.foreign)} if calibration.foreign else written


def _read(own: Mapping[str, Any], shipped: Calibration) -> Calibration:
    """Put a home's numbers in the place of the shipped ones."""
    weights = {str(name): _number(weight) for name, weight in own["weights"].items()}
    if not weights.keys() <= set(SIGNAL_NAMES):
        raise ValueError("signals of another version")
    foreign = _read(own["foreign"], shipped.foreign) if shipped.foreign else None
    return replace(shipped, bias=_number(own["bias"]), weights=weights, foreign=foreign)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)
