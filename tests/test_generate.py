"""The generator, on a registry of two categories and three codes."""

import copy
import datetime as dt
import json
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import agent_errors
from agent_errors import errors
from agent_errors._tools import generate

ROOT = Path(__file__).resolve().parents[1]

# A path into the registry, and a value for what is there.
Key = tuple[str | int, ...]
REMOVED = object()

# Ends of sentences.
SYNTAX = "expected <category>.<name>, both of lowercase ASCII letters, digits and underscores"
ORIGINS = "expected one of model, harness, tool, upstream, user"

REGISTRY: dict[str, Any] = {
    "default_feedback": "It failed.",
    "draft": {"name": "draft-example-errors", "revision": "2026-11-04"},
    "problem_type": {
        "uri": "https://example.org/new",
        "pre_registration_uri": "https://example.org/old",
        "title": "Agent Harness Error",
        "http_status": 422,
        "reference": "section 3",
    },
    "categories": [
        {
            "name": "tool",
            "description": "A tool failed.",
            "http_status": 422,
            "default_feedback": "Tool failed.",
        },
        {
            "name": "loop",
            "description": "A limit was reached.",
            "http_status": 422,
            "default_feedback": "Stop.",
        },
    ],
    "codes": [
        {
            "code": "tool.timeout",
            "title": "Tool Timeout",
            "origin": "tool",
            "retryable": True,
            "model_recoverable": True,
            "description": "A tool did not complete within its time limit, whatever it is that it was doing "
            "there and elsewhere. `retry_after` SHOULD be present | if known.",
            "http_status": 504,
            "default_feedback": "The tool did not finish within its time limit. "
            "Its effects are unknown: check before you call it again.",
            "reference": "section 5.3",
        },
        {
            "code": "tool.not_available",
            "title": "Tool Not Available",
            "origin": "tool",
            "retryable": False,
            "model_recoverable": True,
            "description": "A tool cannot be used.",
            "http_status": 422,
            "default_feedback": "Use another tool.",
            "reference": "section 5.3",
        },
        {
            "code": "loop.timeout",
            "title": "Run Timeout",
            "origin": "harness",
            "retryable": False,
            "model_recoverable": False,
            "description": "The run took too long.",
            "http_status": 504,
            "default_feedback": "Stop now.",
            "reference": "section 5.3",
        },
    ],
}

ERRORS = '''\
# Generated from registry.toml by `python agent_errors/_tools/generate.py`: do not edit.

"""The registered codes as exceptions: a base class for each category, a class for each code.

AgentError
├── ToolError             tool.*
│   ├── ToolTimeout       tool.timeout
│   └── ToolNotAvailable  tool.not_available
└── LoopError             loop.*
    └── LoopTimeout       loop.timeout
"""

from collections.abc import Mapping
from types import MappingProxyType

from agent_errors._base import AgentError
from agent_errors.members import Origin

# tool.*


class ToolError(AgentError):
    """A tool failed."""

    category: str = "tool"
    http_status: int = 422
    default_feedback: str = "Tool failed."


class ToolTimeout(ToolError):
    """Tool Timeout.

    A tool did not complete within its time limit, whatever it is that it was doing there and
    elsewhere.
    ``retry_after`` SHOULD be present | if known.
    """

    code: str = "tool.timeout"
    title: str = "Tool Timeout"
    origin: Origin | None = "tool"
    retryable: bool = True
    model_recoverable: bool = True
    http_status: int = 504
    default_feedback: str = (
        "The tool did not finish within its time limit. Its effects are unknown: check before you call it "
        "again."
    )


class ToolNotAvailable(ToolError):
    """Tool Not Available.

    A tool cannot be used.
    """

    code: str = "tool.not_available"
    title: str = "Tool Not Available"
    origin: Origin | None = "tool"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = "Use another tool."


# loop.*


class LoopError(AgentError):
    """A limit was reached."""

    category: str = "loop"
    http_status: int = 422
    default_feedback: str = "Stop."


class LoopTimeout(LoopError):
    """Run Timeout.

    The run took too long.
    """

    code: str = "loop.timeout"
    title: str = "Run Timeout"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 504
    default_feedback: str = "Stop now."


DRAFT: str = "draft-example-errors 2026-11-04"
"""The draft and the revision of it that the codes are from."""

CODES: Mapping[str, type[AgentError]] = MappingProxyType(
    {
        "tool.timeout": ToolTimeout,
        "tool.not_available": ToolNotAvailable,
        "loop.timeout": LoopTimeout,
    }
)
"""The registered codes and their classes, in the order of the draft."""
'''

PUBLIC_FACE_BEFORE = '''\
"""The package → by hand."""

from agent_errors._base import AgentError

# generated imports: start
whatever was here
# generated imports: end
from agent_errors.members import Limit

# generated exports: start
# generated exports: end
'''

PUBLIC_FACE = '''\
"""The package → by hand."""

from agent_errors._base import AgentError

# generated imports: start
from agent_errors.errors import (
    CODES,
    DRAFT,
    LoopError,
    LoopTimeout,
    ToolError,
    ToolNotAvailable,
    ToolTimeout,
)

# generated imports: end
from agent_errors.members import Limit

# generated exports: start
__all__ = [
    "AgentError",
    "CODES",
    "DRAFT",
    "is_problem",
    "Limit",
    "Location",
    "lookup",
    "LoopError",
    "LoopTimeout",
    "NotAHarnessProblem",
    "Origin",
    "Problem",
    "PROBLEM_TYPE",
    "PROBLEM_TYPES",
    "ToolError",
    "ToolNotAvailable",
    "ToolTimeout",
    "UpstreamInfo",
]
# generated exports: end
'''

README_BEFORE = """\
# Title

<!-- codes: start -->
<!-- codes: end -->

More → by hand.
"""

README = """\
# Title

<!-- codes: start -->

| code | class | origin | retryable | model_recoverable | HTTP | what happened |
|---|---|---|---|---|---|---|
| `tool.timeout` | `ToolTimeout` | tool | yes | yes | 504 | A tool did not complete within its time limit, \
whatever it is that it was doing there and elsewhere. `retry_after` SHOULD be present \\| if known. |
| `tool.not_available` | `ToolNotAvailable` | tool | no | yes | 422 | A tool cannot be used. |
| `loop.timeout` | `LoopTimeout` | harness | no | no | 504 | The run took too long. |

<!-- codes: end -->

More → by hand.
"""

GENERATED = {"agent_errors/errors.py": ERRORS, "agent_errors/__init__.py": PUBLIC_FACE, "README.md": README}


# Helpers


def toml(table: dict[str, Any]) -> str:
    """Write a registry. The values are simple enough to be JSON as well, but for a date."""
    plain = {key: value for key, value in table.items() if not is_table(value)}
    lines = [f"{key} = {literal(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if is_table(value):
            header, rows = (f"[[{key}]]", value) if isinstance(value, list) else (f"[{key}]", [value])
            lines += [f"{header}\n{toml(row)}" for row in rows]
    return "\n".join(lines)


def is_table(value: object) -> bool:
    """Whether a value is written as a table, or as an array of tables."""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def literal(value: object) -> str:
    return value.isoformat() if isinstance(value, dt.date) else json.dumps(value)


def changed(changes: dict[Key, Any]) -> dict[str, Any]:
    """The registry with other values at some paths."""
    registry = copy.deepcopy(REGISTRY)
    for path, value in changes.items():
        table: Any = registry
        for step in path[:-1]:
            table = table[step]
        if value is REMOVED:
            del table[path[-1]]
        elif path[-1] == len(table):
            table.append(value)
        else:
            table[path[-1]] = value
    return registry


def paths(table: Any, before: Key = ()) -> Iterator[Key]:
    """The paths to all values of the registry that are no tables."""
    for key, value in table.items() if isinstance(table, dict) else enumerate(table):
        if isinstance(value, (dict, list)):
            yield from paths(value, (*before, key))
        else:
            yield (*before, key)


def where(path: Key) -> str:
    """The table of a path, as the messages name it."""
    match path:
        case (str(array), int(number), *_):
            return f"{array}, row {number + 1}"
        case (str(table), _):
            return table
        case _:
            return "registry"


def label(path: Key) -> str:
    return ".".join(map(str, path))


def set_registry(root: Path, registry: dict[str, Any]) -> None:
    (root / "agent_errors/registry.toml").write_text(toml(registry), encoding="utf-8", newline="\n")


def texts(root: Path) -> dict[str, str]:
    """The generated files as they are, line endings included."""
    return {name: (root / name).read_bytes().decode() for name in GENERATED}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project before its first run."""
    (tmp_path / "agent_errors").mkdir()
    set_registry(tmp_path, REGISTRY)
    (tmp_path / "agent_errors/__init__.py").write_text(PUBLIC_FACE_BEFORE, encoding="utf-8", newline="\n")
    (tmp_path / "README.md").write_text(README_BEFORE, encoding="utf-8", newline="\n")
    return tmp_path


@pytest.fixture
def fresh(root: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project after a run."""
    assert generate.main(["--root", str(root)]) == 0
    capsys.readouterr()
    return root


def refusal(root: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Run on a project that is refused; return the sentence."""
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert generate.main(["--root", str(root)]) == 2
    after = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert before == after
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("error: ")
    assert output.err.count("\n") == 1
    return output.err.removeprefix("error: ").removesuffix("\n")


# What is written


def test_generated_texts(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--root", str(root)]) == 0
    assert texts(root) == GENERATED
    assert capsys.readouterr().out == "".join(f"wrote {root / name}\n" for name in GENERATED)


def test_second_run_writes_nothing(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {name: (fresh / name).stat().st_mtime_ns for name in GENERATED}
    assert generate.main(["--root", str(fresh)]) == 0
    assert {name: (fresh / name).stat().st_mtime_ns for name in GENERATED} == before
    assert capsys.readouterr() == ("", "")


def test_only_files_that_differ_are_written(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (fresh / "README.md").write_text(README_BEFORE, encoding="utf-8")
    assert generate.main(["--root", str(fresh)]) == 0
    assert capsys.readouterr().out == f"wrote {fresh / 'README.md'}\n"
    assert texts(fresh) == GENERATED


def test_files_are_utf_8_with_newlines(fresh: Path) -> None:
    for name in GENERATED:
        data = (fresh / name).read_bytes()
        assert b"\r" not in data
        assert data.endswith(b"\n")
        assert data.decode("utf-8").isascii() is False


def test_foreign_line_endings_are_repaired(fresh: Path) -> None:
    for name, text in GENERATED.items():
        (fresh / name).write_text(text, encoding="utf-8", newline="\r\n")
    assert generate.main(["--root", str(fresh), "--check"]) == 1
    assert generate.main(["--root", str(fresh)]) == 0
    assert texts(fresh) == GENERATED


# --check


def test_check_of_fresh_sources(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--root", str(fresh), "--check"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", GENERATED)
def test_check_of_stale_sources(name: str, fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stale = GENERATED[name].replace("ToolTimeout", "ToolTooSlow")
    (fresh / name).write_text(stale, encoding="utf-8", newline="\n")
    assert generate.main(["--root", str(fresh), "--check"]) == 1
    assert texts(fresh) == GENERATED | {name: stale}

    out, err = capsys.readouterr()
    assert err == "generated sources are outdated: run python agent_errors/_tools/generate.py\n"
    lines = out.splitlines()
    assert lines[:2] == [f"--- {fresh / name}", f"+++ {fresh / name} (generated)"]
    assert [line for line in lines if line.startswith("-") and "ToolTooSlow" in line]
    assert [line for line in lines if line.startswith("+") and "ToolTimeout" in line]


def test_check_of_missing_sources(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--root", str(root), "--check"]) == 1
    assert not (root / "agent_errors/errors.py").exists()
    assert "+class ToolTimeout(ToolError):" in capsys.readouterr().out


@pytest.mark.parametrize("length", [0, 1, 800, len(ERRORS) - 1])
def test_check_of_a_file_that_was_cut(length: int, fresh: Path) -> None:
    """A comparison line by line would take the shorter file for a match."""
    (fresh / "agent_errors/errors.py").write_text(ERRORS[:length], encoding="utf-8", newline="\n")
    assert generate.main(["--root", str(fresh), "--check"]) == 1


def test_last_line_without_an_end_stays_a_line(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (fresh / "README.md").write_text(README.removesuffix("\n"), encoding="utf-8", newline="\n")
    # The hand-written part is the author's: nothing to do.
    assert generate.main(["--root", str(fresh), "--check"]) == 0
    (fresh / "agent_errors/errors.py").write_text(ERRORS.removesuffix("\n"), encoding="utf-8", newline="\n")
    assert generate.main(["--root", str(fresh), "--check"]) == 1
    last = ERRORS.splitlines()[-1]
    assert capsys.readouterr().out.splitlines()[-2:] == [f"-{last}", f"+{last}"]


def test_check_of_a_line_too_many(fresh: Path) -> None:
    (fresh / "agent_errors/errors.py").write_text(ERRORS + "\n", encoding="utf-8", newline="\n")
    assert generate.main(["--root", str(fresh), "--check"]) == 1


def test_sources_of_this_project_are_fresh() -> None:
    assert generate.main(["--root", str(ROOT), "--check"]) == 0


def test_hand_written_names_are_those_of_the_package() -> None:
    registered = {name for name in vars(errors) if name[0].isupper()} - set(generate.IMPORTED)
    assert set(agent_errors.__all__) == registered | set(generate.HAND_WRITTEN)
    assert all(hasattr(agent_errors, name) for name in agent_errors.__all__)


# Run by path, whatever state the sources are in


def run_by_path(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the generator where it belongs, without the packages that are installed here."""
    script = root / "agent_errors/_tools/generate.py"
    script.parent.mkdir()
    shutil.copy(generate.__file__, script)
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(script), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=root.parent)


@pytest.mark.parametrize(
    "broken",
    [b"", b"class ToolError(:\n", b"\xff\xfe\x00", b"import no_such_module\n", b"raise SystemExit(7)\n"],
)
def test_broken_errors_are_replaced(broken: bytes, root: Path) -> None:
    (root / "agent_errors/errors.py").write_bytes(broken)
    result = run_by_path(root)
    assert (result.returncode, result.stderr) == (0, "")
    assert texts(root) == GENERATED


def test_broken_public_face_is_no_hindrance(root: Path) -> None:
    path = root / "agent_errors/__init__.py"
    path.write_text(f"def broken(:\n{PUBLIC_FACE_BEFORE}", encoding="utf-8", newline="\n")
    result = run_by_path(root)
    assert (result.returncode, result.stderr) == (0, "")
    assert path.read_text(encoding="utf-8") == f"def broken(:\n{PUBLIC_FACE}"


def test_exit_status_of_the_command(fresh: Path) -> None:
    (fresh / "README.md").write_text(README_BEFORE, encoding="utf-8")
    result = run_by_path(fresh, "--check")
    assert result.returncode == 1
    assert result.stderr == "generated sources are outdated: run python agent_errors/_tools/generate.py\n"


def test_refusal_of_the_command(root: Path) -> None:
    set_registry(root, changed({("codes", 0, "origin"): "weather"}))
    result = run_by_path(root)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"error: code 'tool.timeout': unknown origin 'weather': {ORIGINS}\n"


def test_run_as_a_script(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check", "--root", str(fresh)])
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(generate.__file__, run_name="__main__")
    assert caught.value.code == 0


@pytest.mark.parametrize("arguments", [["--no-such-option"], ["--root"], ["errors.py"]])
def test_bad_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        generate.main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python agent_errors/_tools/generate.py")


# What is refused: the shape


@pytest.mark.parametrize("path", list(paths(REGISTRY)), ids=label)
def test_missing_key(path: Key, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({path: REMOVED}))
    assert refusal(root, capsys) == f"{where(path)}: missing key {path[-1]!r}"


@pytest.mark.parametrize("key", ["draft", "problem_type", "categories", "codes"])
def test_missing_table(key: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({(key,): REMOVED}))
    assert refusal(root, capsys) == f"registry: missing key {key!r}"


@pytest.mark.parametrize(
    "path",
    [
        ("colour",),
        ("draft", "colour"),
        ("problem_type", "colour"),
        ("categories", 1, "colour"),
        ("codes", 2, "colour"),
        # Known elsewhere.
        ("categories", 0, "title"),
        ("codes", 0, "name"),
    ],
    ids=label,
)
def test_unknown_key(path: Key, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({path: "red"}))
    assert refusal(root, capsys) == f"{where(path)}: unknown key {path[-1]!r}"


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("default_feedback",), 1, "registry: default_feedback: expected a string, not 1"),
        (("draft",), "x", "registry: draft: expected a table, not 'x'"),
        (("draft", "name"), ["x"], "draft: name: expected a string, not ['x']"),
        (
            ("draft", "revision"),
            dt.date(2026, 11, 4),
            "draft: revision: expected a string, not datetime.date(2026, 11, 4)",
        ),
        (("problem_type", "http_status"), "422", "problem_type: http_status: expected an integer, not '422'"),
        (("categories",), "x", "registry: categories: expected an array, not 'x'"),
        (("categories",), {"name": "tool"}, "registry: categories: expected an array, not {'name': 'tool'}"),
        (("categories",), ["tool"], "categories, row 1: expected a table, not 'tool'"),
        (("codes",), True, "registry: codes: expected an array, not True"),
        (("codes",), [1], "codes, row 1: expected a table, not 1"),
        (("codes", 0, "title"), False, "codes, row 1: title: expected a string, not False"),
        (("codes", 1, "retryable"), "false", "codes, row 2: retryable: expected true or false, not 'false'"),
        (("codes", 2, "retryable"), 0, "codes, row 3: retryable: expected true or false, not 0"),
        (("codes", 0, "http_status"), True, "codes, row 1: http_status: expected an integer, not True"),
        (("codes", 0, "http_status"), 504.0, "codes, row 1: http_status: expected an integer, not 504.0"),
    ],
)
def test_wrong_type(
    path: Key, value: Any, sentence: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_registry(root, changed({path: value}))
    assert refusal(root, capsys) == sentence


def is_text(path: Key) -> bool:
    value: Any = REGISTRY
    for step in path:
        value = value[step]
    return isinstance(value, str)


@pytest.mark.parametrize("path", [*filter(is_text, paths(REGISTRY))], ids=label)
def test_empty_string(path: Key, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({path: ""}))
    assert refusal(root, capsys) == f"{where(path)}: {path[-1]}: is empty"


@pytest.mark.parametrize("key", ["categories", "codes"])
def test_empty_array(key: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({(key,): []}))
    assert refusal(root, capsys) == f"registry: {key}: is empty"


@pytest.mark.parametrize(
    "value",
    [" Tool Timeout", "Tool\nTimeout", "Tool  Timeout", 'Tool "Timeout"', "Tool\\Timeout", "\u200bTool"],
)
def test_text_that_a_literal_cannot_hold(value: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({("codes", 0, "title"): value}))
    assert refusal(root, capsys) == (
        "codes, row 1: title: expected one line of printable text with single blanks, "
        f"without double quote and backslash, not {value!r}"
    )


@pytest.mark.parametrize("status", [-1, 0, 200, 399, 600, 5040])
@pytest.mark.parametrize("path", [("problem_type",), ("categories", 0), ("codes", 0)], ids=label)
def test_status_of_no_error(path: Key, status: int, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({(*path, "http_status"): status}))
    table = where((*path, "http_status"))
    assert refusal(root, capsys) == f"{table}: http_status: expected 400 to 599, not {status}"


@pytest.mark.parametrize("status", [400, 599])
def test_status_of_an_error(status: int, root: Path) -> None:
    set_registry(root, changed({("codes", 0, "http_status"): status}))
    assert generate.main(["--root", str(root)]) == 0


# What is refused: the codes


@pytest.mark.parametrize(
    "code",
    [
        "tool",
        "tool.",
        "tool.a.b",
        "tool.Timeout",
        "tool.time-out",
        "tool.time out",
        "tool.t\u00efmeout",
        "tool.\u0661",
    ],
)
def test_malformed_code(code: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({("codes", 0, "code"): code}))
    assert refusal(root, capsys) == f"malformed code {code!r}: {SYNTAX}"


@pytest.mark.parametrize("name", ["Tool", "to ol", "to-ol", "to.ol", "t\u00f6ol"])
def test_malformed_category(name: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_registry(root, changed({("categories", 0, "name"): name}))
    assert refusal(root, capsys) == (
        f"malformed category {name!r}: expected lowercase ASCII letters, digits and underscores"
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        # EM-3: private codes are never registered.
        (
            {("codes", 1, "code"): "x-acme.held"},
            "private code 'x-acme.held': private codes are never registered",
        ),
        (
            {("categories", 1, "name"): "x-acme", ("codes", 2, "code"): "x-acme.held"},
            "private category 'x-acme': private codes are never registered",
        ),
        ({("codes", 1, "code"): "tool.timeout"}, "duplicate code 'tool.timeout'"),
        ({("codes", 3): REGISTRY["codes"][1]}, "duplicate code 'tool.not_available'"),
        ({("categories", 1, "name"): "tool"}, "duplicate category 'tool'"),
        ({("codes", 1, "code"): "fleet.lost"}, "code 'fleet.lost': unknown category 'fleet'"),
        ({("codes", 2): REMOVED}, "category 'loop' has no codes"),
        (
            {("codes", 0, "origin"): "Tool"},
            f"code 'tool.timeout': unknown origin 'Tool': {ORIGINS}",
        ),
    ],
)
def test_refused_codes(
    changes: dict[Key, Any], sentence: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """EM-3, and what else no registry can hold."""
    set_registry(root, changed(changes))
    assert refusal(root, capsys) == sentence


# What is refused: names


def in_category(category: str, name: str) -> dict[Key, Any]:
    """The registry's second category under another name, with one code."""
    return {("categories", 1, "name"): category, ("codes", 2, "code"): f"{category}.{name}"}


@pytest.mark.parametrize(
    ("changes", "item", "name", "owner"),
    [
        (in_category("type", "held"), "type", "TypeError", "a builtin"),
        (in_category("runtime", "held"), "runtime", "RuntimeError", "a builtin"),
        (in_category("stop", "iteration"), "stop.iteration", "StopIteration", "a builtin"),
        (in_category("none", "_"), "none._", "None", "a builtin"),
        (in_category("agent", "held"), "agent", "AgentError", "a name of the package"),
        (in_category("limit", "_"), "limit._", "Limit", "a name of the package"),
        (in_category("location", "_"), "location._", "Location", "a name of the package"),
        (in_category("upstream", "info"), "upstream.info", "UpstreamInfo", "a name of the package"),
        (in_category("origin", "_"), "origin._", "Origin", "a name of the package"),
        (in_category("problem", "_"), "problem._", "Problem", "a name of the package"),
        (
            in_category("not_a", "harness_problem"),
            "not_a.harness_problem",
            "NotAHarnessProblem",
            "a name of the package",
        ),
        (in_category("mapping", "_"), "mapping._", "Mapping", "a name of the package"),
        (
            in_category("mapping", "proxy_type"),
            "mapping.proxy_type",
            "MappingProxyType",
            "a name of the package",
        ),
        # A base.
        (in_category("loop", "error"), "loop.error", "LoopError", "the class of 'loop'"),
        # The rule is not injective.
        (in_category("_tool", "held"), "_tool", "ToolError", "the class of 'tool'"),
        (
            {("codes", 1, "code"): "tool._timeout"},
            "tool._timeout",
            "ToolTimeout",
            "the class of 'tool.timeout'",
        ),
        (
            in_category("tool_not", "available"),
            "tool_not.available",
            "ToolNotAvailable",
            "the class of 'tool.not_available'",
        ),
    ],
)
def test_class_name_that_is_taken(
    changes: dict[Key, Any], item: str, name: str, owner: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_registry(root, changed(changes))
    assert refusal(root, capsys) == f"{item!r}: class name {name!r} is taken: it is {owner}"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (in_category("5g", "lost"), "'5g': class name '5gError' is not a Python name"),
        (in_category("_", "9"), "'_.9': class name '9' is not a Python name"),
    ],
)
def test_class_name_that_is_no_name(
    changes: dict[Key, Any], sentence: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_registry(root, changed(changes))
    assert refusal(root, capsys) == sentence


# What is refused: files


@pytest.mark.parametrize("text", ["codes = [", "codes = 1\ncodes = 2\n", "="])
def test_invalid_toml(text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / "agent_errors/registry.toml"
    path.write_text(text, encoding="utf-8")
    assert refusal(root, capsys).startswith(f"{path} is not valid TOML: ")


@pytest.mark.parametrize("name", ["agent_errors/registry.toml", "agent_errors/__init__.py", "README.md"])
def test_missing_file(name: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / name).unlink()
    assert refusal(root, capsys).startswith(f"cannot read {root / name}: ")


@pytest.mark.parametrize("name", ["agent_errors/registry.toml", "agent_errors/__init__.py", "README.md"])
def test_file_that_is_not_utf_8(name: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / name).write_bytes(b"\xff")
    assert refusal(root, capsys).startswith(f"cannot read {root / name}: ")


def test_errors_that_are_no_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / "agent_errors/errors.py"
    path.mkdir()
    assert refusal(root, capsys).startswith(f"cannot read {path}: ")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_errors_that_cannot_be_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / "agent_errors/errors.py"
    path.symlink_to(root / "no/such/directory/errors.py")
    assert refusal(root, capsys).startswith(f"cannot write {path}: ")


MARKERS = [
    ("agent_errors/__init__.py", "# generated imports: start", "# generated imports: end"),
    ("agent_errors/__init__.py", "# generated exports: start", "# generated exports: end"),
    ("README.md", "<!-- codes: start -->", "<!-- codes: end -->"),
]


@pytest.mark.parametrize(("name", "start", "end"), MARKERS)
@pytest.mark.parametrize(
    "block",
    [
        "{start}",
        "{end}",
        "",
        "{end}\n{start}",
        "{start}\n{start}\n{end}",
        "{start}\n{end}\n{end}",
        "{start}\n{end}\n{start}\n{end}",
        "{start} {end}",
        "{start}.\n{end}",
    ],
)
def test_markers_that_mark_no_block(
    name: str, start: str, end: str, block: str, fresh: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, _, rest = GENERATED[name].partition(f"{start}\n")
    after = rest.partition(f"{end}\n")[2]
    text = f"{before}{block.format(start=start, end=end)}\n{after}"
    (fresh / name).write_text(text, encoding="utf-8", newline="\n")
    assert refusal(fresh, capsys) == f"{name}: expected one line {start!r} and after it one line {end!r}"
