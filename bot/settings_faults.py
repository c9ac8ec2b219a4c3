"""One line for each wrong setting: its name, what is wrong with its value, and the mend. No secret is ever shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

Location = tuple[str | int, ...]
SHOWN_CHARACTERS = 60

FAULTS = {
    "missing": "is missing",
    "greater_than": "must be above {gt:g}",
    "greater_than_equal": "must be {ge:g} or more",
    "less_than_equal": "must be {le:g} or less",
    "finite_number": "is not a finite number",
    "string_too_short": "is empty",
    "value_error": "{error}",
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "int_type": "is not a whole number",
    "float_parsing": "is not a number",
    "float_type": "is not a number",
    "bool_parsing": "is not true or false",
    "bool_type": "is not true or false",
    "string_type": "is not text",
    "path_type": "is not a path",
    "model_type": "is not a table",
    "mapping_type": "is not a table",
    "dict_type": "is not a table",
    "tuple_type": "is not a list",
    "frozen_set_type": "is not a list",
}
NESTED = {"model_type", "mapping_type", "dict_type", "tuple_type", "frozen_set_type"}


def explain(
    error: ValidationError, root: type[BaseModel], file: Path | None, environment: Mapping[str, str], prefix: str
) -> list[str]:
    """Give the lines of a failed validation, each naming the variable or the file that holds the wrong value."""
    lines = []
    for detail in error.errors(include_url=False):
        location = detail["loc"]
        variable = _variable(location, environment, prefix)
        place = f"{variable}: " if variable else f"{file}: " if file else ""
        as_json = " (written as JSON)" if variable and detail["type"] in NESTED else ""
        lines.append(place + _line(detail, root, dotted(location)) + as_json)
    return lines


def unknown_variables(environment: Mapping[str, str], prefix: str, root: type[BaseModel]) -> list[str]:
    """Name the variables that mean a section that does not exist.

    Only those with the `__` of a section: Kubernetes sets `ORACULO_PORT` and the like for a service called oraculo.
    """
    lines = []
    for variable in sorted(environment):
        section, separator, _ = variable.removeprefix(prefix).lower().partition("__")
        if variable.startswith(prefix) and separator and section not in root.model_fields:
            lines.append(f"{variable}: there is no section [{section}]{_instead(section, root)}")
    return lines


def dotted(location: Location) -> str:
    """Write a location as people do: `sources[2].kind` (counted from 1, as they stand in the file)."""
    text = ""
    for part in location:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _line(detail: ErrorDetails, root: type[BaseModel], name: str) -> str:
    location = detail["loc"]
    if detail["type"] == "extra_forbidden":
        owner = _owner(location[:-1], root) or root
        return f"{name}: there is no such setting{_instead(str(location[-1]), owner)}"
    field = _field(location, root)
    mend = field.description if field and field.description else f"the settings of [{name}] one by one"
    return f"{name}{_shown(detail, field)}: {_fault(detail, field)}; set {mend}"


def _fault(detail: ErrorDetails, field: FieldInfo | None) -> str:
    if detail["type"] in {"literal_error", "enum"}:
        near = get_close_matches(str(detail["input"]).lower(), [str(choice) for choice in _choices(field)], n=1)
        return f'is not a known value (did you mean "{near[0]}"?)' if near else "is not a known value"
    template = FAULTS.get(detail["type"], "is not a value it can take")
    return template.format(**detail.get("ctx", {}))


def _choices(field: FieldInfo | None) -> Iterator[object]:
    for choice in get_args(field.annotation) if field else ():
        yield from get_args(choice) or (choice,)


def _shown(detail: ErrorDetails, field: FieldInfo | None) -> str:
    """The wrong value, when it is a plain one and no secret can stand in it."""
    value = detail["input"]
    secret = (
        field is None or "SecretStr" in str(field.annotation) or any(_models(field.annotation)) or "@" in str(value)
    )
    if secret or detail["type"] == "missing" or not isinstance(value, str | int | float):
        return ""
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    text = "".join(character if character.isprintable() else "�" for character in text)
    return f" = {text[:SHOWN_CHARACTERS]}{'…' if len(text) > SHOWN_CHARACTERS else ''}"


def _instead(name: str, owner: type[BaseModel]) -> str:
    known = list(owner.model_fields)
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else f"; remove it (there are: {', '.join(known)})"


def _variable(location: Location, environment: Mapping[str, str], prefix: str) -> str:
    """The environment variable that set the value at `location`, or an empty text."""
    if location == ("model", "api_key") and environment.get("GEMINI_API_KEY"):
        return "GEMINI_API_KEY"
    for length in range(len(location), 0, -1):
        wanted = (prefix + "__".join(str(part) for part in location[:length])).upper()
        for variable, value in environment.items():
            if variable.upper() == wanted and value:
                return variable
    return ""


def _owner(location: Location, root: type[BaseModel]) -> type[BaseModel] | None:
    """The section that `location` leads to."""
    if not location:
        return root
    field = _field(location, root)
    return next(_models(field.annotation), None) if field else None


def _field(location: Location, root: type[BaseModel]) -> FieldInfo | None:
    """The declared field that a location stands under; keys of tables and positions in lists are passed over."""
    model: type[BaseModel] | None = root
    field: FieldInfo | None = None
    for part in location:
        if model is not None and isinstance(part, str) and part in model.model_fields:
            field = model.model_fields[part]
            model = next(_models(field.annotation), None)
    return field


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
