"""Who imports whom: read from the source, imports within functions and for type checkers included."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import agent_errors

PACKAGE = Path(agent_errors.__file__).parent

# Each may import those above it.
ROOMS = [
    {"members", "_credentials"},
    {"disclosure"},
    {"_wire"},
    {"_base"},
    {"errors"},
    {"__init__"},
    {"bindings"},
    {"translate"},
]
# By path, never as a part of the package.
TOOLS = {"_tools/generate"}

THIRD_PARTIES = {
    "members": {"attrs"},
    "_wire": {"cattrs"},
    "translate": {"attrs"},
}

# Rooms of several modules, which may know each other.
PACKAGES = {"bindings", "translate"}

MODULES = sorted(path.relative_to(PACKAGE).with_suffix("").as_posix() for path in PACKAGE.rglob("*.py"))


def imported(module: str) -> Iterator[str]:
    """The absolute names of what a module imports."""
    for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            assert node.module is not None
            if node.module == "agent_errors":
                yield from (f"agent_errors.{alias.name}" for alias in node.names)
            else:
                yield node.module


def ours(module: str) -> set[str]:
    """The rooms that a module imports from; a name of the public face is imported from there."""
    names = (name.partition(".") for name in imported(module))
    rooms = {rest.partition(".")[0] for package, _, rest in names if package == "agent_errors"}
    return {room if room in set.union(*ROOMS) else "__init__" for room in rooms}


def modules(room: str) -> list[str]:
    return [module for module in MODULES if module.partition("/")[0] == room]


def third_parties(module: str) -> set[str]:
    packages = {name.partition(".")[0] for name in imported(module)}
    return packages - sys.stdlib_module_names - {"agent_errors"}


def test_every_module_has_a_room() -> None:
    assert {module.partition("/")[0] for module in set(MODULES) - TOOLS} == set.union(*ROOMS)


@pytest.mark.parametrize("level", range(len(ROOMS)))
def test_a_room_knows_only_those_before_it(level: int) -> None:
    before = set.union(set(), *ROOMS[:level])
    for room in ROOMS[level]:
        within = {room} if room in PACKAGES else set[str]()
        assert {module: ours(module) - before - within for module in modules(room)} == {
            module: set() for module in modules(room)
        }


def test_the_face_is_made_of_the_rooms_that_users_see() -> None:
    assert ours("__init__") == {"_base", "errors", "members"}


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_a_tool_knows_nothing_of_the_package(tool: str) -> None:
    """So that it can repair what it generates."""
    assert ours(tool) == set()


def test_third_parties() -> None:
    for room in set.union(*ROOMS):
        found = set.union(*(third_parties(module) for module in modules(room)))
        assert found == THIRD_PARTIES.get(room, set()), room


@pytest.mark.parametrize("module", sorted(set(MODULES) - TOOLS))
def test_no_module_of_the_core_reads_a_file(module: str) -> None:
    assert not {"io", "importlib", "pathlib", "pkgutil", "tomllib"} & {
        name.partition(".")[0] for name in imported(module)
    }
    names = {
        node.id
        for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text("utf-8")))
        if isinstance(node, ast.Name)
    }
    assert "open" not in names
