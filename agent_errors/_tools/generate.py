"""Write the generated sources from ``registry.toml``.

    python agent_errors/_tools/generate.py [--check] [--root DIR]

writes ``agent_errors/errors.py`` and the marked blocks of ``agent_errors/__init__.py`` and ``README.md``.
It needs the standard library only and imports nothing of the package, so that it runs while the sources
that it writes are missing or broken.
"""

import argparse
import builtins
import difflib
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

COMMAND = "python agent_errors/_tools/generate.py"

REGISTRY = "agent_errors/registry.toml"
ERRORS = "agent_errors/errors.py"
PUBLIC_FACE = "agent_errors/__init__.py"
README = "README.md"

# The lines around each generated block.
IMPORTS_MARKERS = ("# generated imports: start", "# generated imports: end")
EXPORTS_MARKERS = ("# generated exports: start", "# generated exports: end")
TABLE_MARKERS = ("<!-- codes: start -->", "<!-- codes: end -->")

LINE_LENGTH = 110
DOCSTRING_WIDTH = 100

# What `__all__` holds besides the generated names.
HAND_WRITTEN = (
    "AgentError",
    "Limit",
    "Location",
    "NotAHarnessProblem",
    "Origin",
    "PROBLEM_TYPE",
    "PROBLEM_TYPES",
    "Problem",
    "UpstreamInfo",
    "is_problem",
    "lookup",
)
# What errors.py imports besides: a class of that name would hide it.
IMPORTED = ("Mapping", "MappingProxyType")

# The keys that a table has, all of them and no others, with the type of each.
Keys = Mapping[str, type]
ROOT_KEYS: Keys = {
    "default_feedback": str,
    "draft": dict,
    "problem_type": dict,
    "categories": list,
    "codes": list,
}
DRAFT_KEYS: Keys = {"name": str, "revision": str}
PROBLEM_TYPE_KEYS: Keys = {
    "uri": str,
    "pre_registration_uri": str,
    "title": str,
    "http_status": int,
    "reference": str,
}
CATEGORY_KEYS: Keys = {"name": str, "description": str, "http_status": int, "default_feedback": str}
CODE_KEYS: Keys = {
    "code": str,
    "title": str,
    "origin": str,
    "retryable": bool,
    "model_recoverable": bool,
    "description": str,
    "http_status": int,
    "default_feedback": str,
    "reference": str,
}
TYPE_NAMES = {str: "a string", int: "an integer", bool: "true or false", dict: "a table", list: "an array"}

ORIGINS = ("model", "harness", "tool", "upstream", "user")
LOWEST_STATUS, HIGHEST_STATUS = 400, 599

Table = dict[str, Any]


class RegistryError(Exception):
    """The sources cannot be generated; the text is one sentence that says why."""


# Reading


def read(path: Path, *, errors: str = "strict") -> str:
    """Return the text of a file, line endings as they are."""
    try:
        return path.read_bytes().decode("utf-8", errors)
    except (OSError, ValueError) as error:
        raise RegistryError(f"cannot read {path}: {error}") from error


def load_registry(path: Path) -> Table:
    """Return the registry, checked."""
    try:
        registry = tomllib.loads(read(path))
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{path} is not valid TOML: {error}") from error
    check_tables(registry)
    check_categories(registry)
    check_codes(registry)
    check_class_names(registry)
    return registry


# Checking


def check_tables(registry: Table) -> None:
    """Refuse a table that has not exactly its keys, or a value of the wrong type."""
    check_table("registry", registry, ROOT_KEYS)
    check_table("draft", registry["draft"], DRAFT_KEYS)
    check_table("problem_type", registry["problem_type"], PROBLEM_TYPE_KEYS)
    for name, keys in (("categories", CATEGORY_KEYS), ("codes", CODE_KEYS)):
        for number, row in enumerate(registry[name], start=1):
            check_value(f"{name}, row {number}", row, dict)
            check_table(f"{name}, row {number}", row, keys)


def check_table(where: str, table: Table, keys: Keys) -> None:
    """Refuse a table that has not exactly these keys, or a value of the wrong type."""
    for key in table:
        if key not in keys:
            raise RegistryError(f"{where}: unknown key {key!r}")
    for key, expected in keys.items():
        if key not in table:
            raise RegistryError(f"{where}: missing key {key!r}")
        check_value(f"{where}: {key}", table[key], expected)


def check_value(where: str, value: object, expected: type) -> None:
    """Refuse a value of the wrong type, an empty one, a status that no error has, unprintable text."""
    # Not isinstance: true is an int as well.
    if type(value) is not expected:
        raise RegistryError(f"{where}: expected {TYPE_NAMES[expected]}, not {value!r}")
    if value in ("", []):
        raise RegistryError(f"{where}: is empty")
    if expected is int and value not in range(LOWEST_STATUS, HIGHEST_STATUS + 1):
        raise RegistryError(f"{where}: expected {LOWEST_STATUS} to {HIGHEST_STATUS}, not {value!r}")
    if isinstance(value, str) and not is_plain(value):
        raise RegistryError(
            f"{where}: expected one line of printable text with single blanks, "
            f"without double quote and backslash, not {value!r}"
        )


def is_plain(text: str) -> bool:
    """Whether a text can stand in a string literal, a docstring and a table as it is."""
    return text.isprintable() and text == " ".join(text.split()) and not set(text) & {'"', "\\"}


def check_categories(registry: Table) -> None:
    """Refuse a private, malformed or second category, and one without codes."""
    names = [row["name"] for row in registry["categories"]]
    used = {category_of(row["code"]) for row in registry["codes"]}
    for name in names:
        if name.startswith("x-"):
            raise RegistryError(f"private category {name!r}: private codes are never registered")
        if not re.fullmatch("[a-z0-9_]+", name):
            raise RegistryError(
                f"malformed category {name!r}: expected lowercase ASCII letters, digits and underscores"
            )
        if names.count(name) > 1:
            raise RegistryError(f"duplicate category {name!r}")
        if name not in used:
            raise RegistryError(f"category {name!r} has no codes")


def check_codes(registry: Table) -> None:
    """Refuse a private, malformed or second code, an unknown category and an unknown origin."""
    categories = {row["name"] for row in registry["categories"]}
    codes = [row["code"] for row in registry["codes"]]
    for row in registry["codes"]:
        code, origin = row["code"], row["origin"]
        if code.startswith("x-"):
            raise RegistryError(f"private code {code!r}: private codes are never registered")
        if not re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", code):
            raise RegistryError(
                f"malformed code {code!r}: expected <category>.<name>, "
                "both of lowercase ASCII letters, digits and underscores"
            )
        if codes.count(code) > 1:
            raise RegistryError(f"duplicate code {code!r}")
        if category_of(code) not in categories:
            raise RegistryError(f"code {code!r}: unknown category {category_of(code)!r}")
        if origin not in ORIGINS:
            raise RegistryError(
                f"code {code!r}: unknown origin {origin!r}: expected one of {', '.join(ORIGINS)}"
            )


def check_class_names(registry: Table) -> None:
    """Refuse a class name that is no name, or that something else has."""
    # The naming rule is not injective: a_b.c and a.b_c would both be ABC.
    owners = dict.fromkeys(dir(builtins), "a builtin")
    owners |= dict.fromkeys((*HAND_WRITTEN, *IMPORTED), "a name of the package")
    names = {row["name"]: base_name(row["name"]) for row in registry["categories"]}
    names |= {row["code"]: leaf_name(row["code"]) for row in registry["codes"]}
    for item, name in names.items():
        if not name.isidentifier():
            raise RegistryError(f"{item!r}: class name {name!r} is not a Python name")
        if name in owners:
            raise RegistryError(f"{item!r}: class name {name!r} is taken: it is {owners[name]}")
        owners[name] = f"the class of {item!r}"


# Naming


def category_of(code: str) -> str:
    """Return what stands before the first dot."""
    return code.partition(".")[0]


def codes_of(registry: Table, category: str) -> list[Table]:
    """Return the rows of a category's codes."""
    return [row for row in registry["codes"] if category_of(row["code"]) == category]


def camel(text: str) -> str:
    """Turn lower_case_with_underscores into CamelCase."""
    return "".join(part.capitalize() for part in text.split("_"))


def base_name(category: str) -> str:
    """Return the class name of a category: UpstreamError."""
    return f"{camel(category)}Error"


def leaf_name(code: str) -> str:
    """Return the class name of a code: UpstreamRateLimited."""
    category, _, name = code.partition(".")
    return camel(category) + camel(name)


def class_names(registry: Table) -> list[str]:
    """Return the names of all generated classes."""
    bases = [base_name(row["name"]) for row in registry["categories"]]
    return bases + [leaf_name(row["code"]) for row in registry["codes"]]


# Writing


def errors_source(registry: Table) -> str:
    """Return the text of errors.py."""
    header = [
        f"# Generated from registry.toml by `{COMMAND}`: do not edit.",
        "",
        *module_docstring(registry),
        "",
        "from collections.abc import Mapping",
        "from types import MappingProxyType",
        "",
        "from agent_errors._base import AgentError",
        "from agent_errors.members import Origin",
    ]
    classes: list[str] = []
    for category in registry["categories"]:
        classes += [f"# {category['name']}.*", lines(base_class(category))]
        classes += [lines(leaf_class(row)) for row in codes_of(registry, category["name"])]
    footer = [
        assignment("DRAFT: str", f"{registry['draft']['name']} {registry['draft']['revision']}", indent=0),
        '"""The draft and the revision of it that the codes are from."""',
        "",
        "CODES: Mapping[str, type[AgentError]] = MappingProxyType(",
        "    {",
        *(f'        "{row["code"]}": {leaf_name(row["code"])},' for row in registry["codes"]),
        "    }",
        ")",
        '"""The registered codes and their classes, in the order of the draft."""',
        "",
    ]
    return lines(header) + "\n\n" + "\n\n\n".join([*classes, lines(footer)])


def module_docstring(registry: Table) -> Iterator[str]:
    """Yield the docstring of errors.py, which draws the hierarchy as a tree."""
    yield '"""The registered codes as exceptions: a base class for each category, a class for each code.'
    yield ""
    yield "AgentError"
    width = max(len(name) for name in class_names(registry)) + 10
    *others, last = registry["categories"]
    for category in (*others, last):
        joint, rail = ("└── ", "    ") if category is last else ("├── ", "│   ")
        yield f"{joint + base_name(category['name']):{width}}{category['name']}.*"
        *siblings, youngest = codes_of(registry, category["name"])
        for row in (*siblings, youngest):
            twig = "└── " if row is youngest else "├── "
            yield f"{rail + twig + leaf_name(row['code']):{width}}{row['code']}"
    yield '"""'


def base_class(category: Table) -> Iterator[str]:
    """Yield the class of a category."""
    yield f"class {base_name(category['name'])}(AgentError):"
    yield from docstring(category["description"])
    yield ""
    yield f'    category: str = "{category["name"]}"'
    yield f"    http_status: int = {category['http_status']}"
    yield assignment("default_feedback: str", category["default_feedback"])


def leaf_class(row: Table) -> Iterator[str]:
    """Yield the class of a code."""
    yield f"class {leaf_name(row['code'])}({base_name(category_of(row['code']))}):"
    yield from docstring(f"{row['title']}.", row["description"])
    yield ""
    yield f'    code: str = "{row["code"]}"'
    yield f'    title: str = "{row["title"]}"'
    yield f'    origin: Origin | None = "{row["origin"]}"'
    yield f"    retryable: bool = {row['retryable']}"
    yield f"    model_recoverable: bool = {row['model_recoverable']}"
    yield f"    http_status: int = {row['http_status']}"
    yield assignment("default_feedback: str", row["default_feedback"])


def docstring(summary: str, text: str = "") -> Iterator[str]:
    """Yield the docstring of a class, each sentence of the text on a line of its own."""
    if not text:
        yield f'    """{code_marks(summary)}"""'
        return
    yield f'    """{code_marks(summary)}'
    yield ""
    for sentence in re.split(r"(?<=\.) (?=[A-Z`])", text):
        yield from wrapped(code_marks(sentence), DOCSTRING_WIDTH, before="    ")
    yield '    """'


def code_marks(text: str) -> str:
    """Turn the registry's marks for code into those of a docstring."""
    return text.replace("`", "``")


def assignment(target: str, text: str, indent: int = 4) -> str:
    """Return the assignment of a string, in parentheses over several lines where it is too long for one."""
    blanks = " " * indent
    line = f'{blanks}{target} = "{text}"'
    if len(line) <= LINE_LENGTH:
        return line
    # The blank between two parts ends the first one.
    *parts, last = wrapped(text, LINE_LENGTH - indent - len('    " "'))
    parts = [f'{blanks}    "{part} "' for part in parts] + [f'{blanks}    "{last}"']
    return lines([f"{blanks}{target} = (", *parts, f"{blanks})"])


def wrapped(text: str, width: int, before: str = "") -> list[str]:
    """Return the lines of a text; words are never broken."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=before,
        subsequent_indent=before,
        break_long_words=False,
        break_on_hyphens=False,
    )


def imports_block(registry: Table) -> str:
    """Return the imports from errors.py for ``__init__.py``."""
    names = ["CODES", "DRAFT", *sorted(class_names(registry))]
    # The empty line is the formatter's: a comment follows.
    return lines(["from agent_errors.errors import (", *(f"    {name}," for name in names), ")", ""])


def exports_block(registry: Table) -> str:
    """Return ``__all__`` for ``__init__.py``."""
    names = sorted((*HAND_WRITTEN, "CODES", "DRAFT", *class_names(registry)), key=str.casefold)
    return lines(["__all__ = [", *(f'    "{name}",' for name in names), "]"])


def table_block(registry: Table) -> str:
    """Return the table of codes for the README."""
    rows = [
        "| code | class | origin | retryable | model_recoverable | HTTP | what happened |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in registry["codes"]:
        cells = [
            f"`{row['code']}`",
            f"`{leaf_name(row['code'])}`",
            row["origin"],
            "yes" if row["retryable"] else "no",
            "yes" if row["model_recoverable"] else "no",
            str(row["http_status"]),
            row["description"].replace("|", "\\|"),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return lines(["", *rows, ""])


def lines(items: Iterable[str]) -> str:
    """Return lines as one text."""
    return "\n".join(items)


def replaced(name: str, text: str, markers: tuple[str, str], body: str) -> str:
    """Return a text with what stands between two marker lines replaced."""
    start, end = markers
    old = text.replace("\r\n", "\n").split("\n")
    if old.count(start) != 1 or old.count(end) != 1 or old.index(start) > old.index(end):
        raise RegistryError(f"{name}: expected one line {start!r} and after it one line {end!r}")
    return lines([*old[: old.index(start) + 1], body, *old[old.index(end) :]])


def generate(root: Path) -> list[tuple[Path, str, str]]:
    """Return path, present text and generated text of each file."""
    registry = load_registry(root / REGISTRY)

    errors_path = root / ERRORS
    # Only compared, never kept: it may be missing, or in any state.
    old_errors = read(errors_path, errors="replace") if errors_path.exists() else ""

    old_face = read(root / PUBLIC_FACE)
    face = replaced(PUBLIC_FACE, old_face, IMPORTS_MARKERS, imports_block(registry))
    face = replaced(PUBLIC_FACE, face, EXPORTS_MARKERS, exports_block(registry))

    old_readme = read(root / README)
    readme = replaced(README, old_readme, TABLE_MARKERS, table_block(registry))

    return [
        (errors_path, old_errors, errors_source(registry)),
        (root / PUBLIC_FACE, old_face, face),
        (root / README, old_readme, readme),
    ]


def write(path: Path, text: str) -> None:
    """Write a text with the line endings that it has."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RegistryError(f"cannot write {path}: {error}") from error


def diff(path: Path, old: str, new: str) -> str:
    """Return a unified diff from the present text to the generated one."""
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    changes = difflib.unified_diff(before, after, str(path), f"{path} (generated)")
    # A last line without an end would run into the next one.
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in changes)


def run(root: Path, *, check: bool) -> int:
    """Write the files that differ, or show how they differ; return the exit status."""
    stale = [(path, old, new) for path, old, new in generate(root) if old != new]
    for path, old, new in stale:
        if check:
            print(diff(path, old, new), end="")
        else:
            write(path, new)
            print(f"wrote {path}")
    if check and stale:
        print(f"generated sources are outdated: run {COMMAND}", file=sys.stderr)
        return 1
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write what is generated from registry.toml.")
    parser.add_argument("--check", action="store_true", help="write nothing, show what would change")
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(__file__).resolve().parents[2],
        metavar="DIR",
        help="the directory that holds README.md and agent_errors (default: this script's own)",
    )
    options = parser.parse_args(arguments)
    try:
        return run(options.root, check=options.check)
    except RegistryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
