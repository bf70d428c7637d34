"""What is in the wheel and in the sdist, and what their metadata say."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
DIST_INFO = f"agent_errors-{VERSION}.dist-info"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with an sdist of this tree, and with the wheel that was built from it."""
    directory = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(directory), str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return directory


@pytest.fixture(scope="module")
def wheel(built: Path) -> set[str]:
    with zipfile.ZipFile(built / f"agent_errors-{VERSION}-py3-none-any.whl") as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def sdist(built: Path) -> set[str]:
    """The names of the files, without the directory that all of them are in."""
    with tarfile.open(built / f"agent_errors-{VERSION}.tar.gz") as archive:
        names = [member.name for member in archive if member.isfile()]
    assert {name.partition("/")[0] for name in names} == {f"agent_errors-{VERSION}"}
    return {name.partition("/")[2] for name in names}


@pytest.fixture(scope="module")
def metadata(built: Path) -> Message:
    with zipfile.ZipFile(built / f"agent_errors-{VERSION}-py3-none-any.whl") as archive:
        return Parser().parsestr(archive.read(f"{DIST_INFO}/METADATA").decode())


def files(directory: str) -> set[str]:
    """The files of this tree that are under a directory, without what tools leave behind."""
    paths = (path.relative_to(ROOT) for path in (ROOT / directory).rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if not any(is_left_behind(part) for part in path.parts)}


def is_left_behind(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__" or name.endswith((".pyc", ".egg-info"))


def test_wheel_holds_the_package_and_nothing_else(wheel: set[str]) -> None:
    licences = {f"{DIST_INFO}/licenses/LICENSE", f"{DIST_INFO}/licenses/NOTICE"}
    assert wheel == files("agent_errors") | licences | {
        f"{DIST_INFO}/METADATA",
        f"{DIST_INFO}/RECORD",
        f"{DIST_INFO}/WHEEL",
    }


def test_package_holds_what_it_needs_and_no_strange_files() -> None:
    package = files("agent_errors")
    assert package >= {
        "agent_errors/__init__.py",
        "agent_errors/_base.py",
        "agent_errors/_tools/generate.py",
        "agent_errors/_wire.py",
        "agent_errors/disclosure.py",
        "agent_errors/errors.py",
        "agent_errors/members.py",
        "agent_errors/py.typed",
        "agent_errors/registry.toml",
    }
    others = {name for name in package if not name.endswith(".py")}
    assert others == {"agent_errors/py.typed", "agent_errors/registry.toml"}


def test_sdist_holds_what_the_tests_need_and_nothing_else(sdist: set[str]) -> None:
    # hatchling adds the last two.
    top = {"CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "pyproject.toml", ".gitignore", "PKG-INFO"}
    assert sdist == files("agent_errors") | files("tests") | files("examples") | top


def test_metadata(metadata: Message) -> None:
    assert metadata["Name"] == "agent-errors"
    assert metadata["Version"] == VERSION
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("License-File") == ["LICENSE", "NOTICE"]
    assert metadata.get_all("Import-Name") == ["agent_errors"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["Author-email"] is None


def test_classifiers(metadata: Message) -> None:
    classifiers = metadata.get_all("Classifier", [])
    assert "Typing :: Typed" in classifiers
    assert not [name for name in classifiers if name.startswith("License ::")]


def test_core_needs_three_packages(metadata: Message) -> None:
    requirements = metadata.get_all("Requires-Dist", [])
    core = {requirement for requirement in requirements if "extra ==" not in requirement}
    assert core == {"attrs>=25.4", "cattrs>=26.1", "typing-extensions>=4.14"}
    assert {"dev", "test"} <= set(metadata.get_all("Provides-Extra", []))


def test_no_dependency_has_an_upper_bound(metadata: Message) -> None:
    names_and_versions = [
        requirement.partition(";")[0] for requirement in metadata.get_all("Requires-Dist", [])
    ]
    assert not [text for text in names_and_versions if any(mark in text for mark in ("<", "==", "~="))]
