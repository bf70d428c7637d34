"""What `agent_errors` offers, and what it costs to import."""

import os
import subprocess
import sys
from inspect import isclass, isfunction
from pathlib import Path
from types import ModuleType

import attrs
import pytest

import agent_errors
from agent_errors import CODES, AgentError

# Beside the classes of the codes.
OTHERS = {
    "AgentError",
    "CODES",
    "ContextError",
    "DRAFT",
    "HarnessError",
    "is_problem",
    "Limit",
    "Location",
    "lookup",
    "LoopError",
    "NotAHarnessProblem",
    "Origin",
    "OutputError",
    "PolicyError",
    "Problem",
    "PROBLEM_TYPE",
    "PROBLEM_TYPES",
    "ToolError",
    "UpstreamError",
    "UpstreamInfo",
}

PATH = os.pathsep.join(str(Path(str(module.__file__)).parents[1]) for module in (agent_errors, attrs))


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The modules that an import loads, in a process where site-packages has loaded none before."""
    program = "import sys, agent_errors; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": PATH}
    command = [sys.executable, "-S", "-c", program]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return set(output.split())


def test_the_face_is_sorted_the_way_people_look_names_up() -> None:
    assert agent_errors.__all__ == sorted(agent_errors.__all__, key=str.lower)


def test_the_face() -> None:
    """CO-1: a class for each code, and what else there is."""
    assert set(agent_errors.__all__) == OTHERS | {cls.__name__ for cls in CODES.values()}
    assert len(agent_errors.__all__) == 51


def test_the_face_is_what_is_public() -> None:
    public = {
        name
        for name, value in vars(agent_errors).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == set(agent_errors.__all__)


def test_classes_and_functions_are_documented() -> None:
    offered = {name: getattr(agent_errors, name) for name in agent_errors.__all__}
    described = {name for name, value in offered.items() if isclass(value) or isfunction(value)}
    assert len(described) == 46
    assert not [name for name in described if not offered[name].__doc__]


def test_what_an_error_offers() -> None:
    """A member of the class that is new, or gone, is seen here."""
    assert {name for name in vars(AgentError) if not name.startswith("_")} == {
        "attempts",
        "category",
        "causes",
        "default_feedback",
        "detail",
        "extensions",
        "from_json",
        "from_problem",
        "http_status",
        "instance",
        "limit",
        "location",
        "max_attempts",
        "model_feedback",
        "model_recoverable",
        "origin",
        "provenance",
        "retry_after",
        "retryable",
        "stated",
        "title",
        "to_feedback",
        "to_json",
        "to_problem",
        "upstream",
    }


@pytest.mark.parametrize("name", ["cattrs", "json", "logging", "pickle", "tomllib", "typing_extensions"])
def test_a_module_that_an_import_does_not_load(loaded: set[str], name: str) -> None:
    """Each costs more than all of ours, and most processes meet no error."""
    assert name not in loaded


def test_attrs_is_the_only_third_party_that_an_import_loads(loaded: set[str]) -> None:
    packages = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - {"__main__"}
    assert packages == {"agent_errors", "attr", "attrs"}


def test_our_modules_that_an_import_loads(loaded: set[str]) -> None:
    assert {name for name in loaded if name.startswith("agent_errors.")} == {
        "agent_errors._base",
        "agent_errors._credentials",
        "agent_errors._wire",
        "agent_errors.disclosure",
        "agent_errors.errors",
        "agent_errors.members",
    }
