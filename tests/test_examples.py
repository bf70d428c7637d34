"""The examples run, and the harness can do without none of its ``except`` clauses."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
HARNESS = (EXAMPLES / "harness.py").read_text(encoding="utf-8")
CLAUSES = [node for node in ast.walk(ast.parse(HARNESS)) if isinstance(node, ast.ExceptHandler)]


def without(line: int) -> str:
    """The harness without the ``except`` clause of a line; a ``try`` without any becomes its statements."""

    class Remove(ast.NodeTransformer):
        def visit_Try(self, node: ast.Try) -> ast.Try | list[ast.stmt]:
            self.generic_visit(node)
            node.handlers = [handler for handler in node.handlers if handler.lineno != line]
            if node.handlers:
                return node
            node.body, node.orelse = node.body + node.orelse, []
            return node if node.finalbody else node.body

    return ast.unparse(Remove().visit(ast.parse(HARNESS)))


def run(script: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", str(script)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def run_without(line: int, directory: Path) -> subprocess.CompletedProcess[str]:
    script = directory / "harness.py"
    script.write_text(without(line), encoding="utf-8")
    return run(script)


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda script: script.stem)
def test_runs_and_checks_itself(script: Path) -> None:
    result = run(script)
    assert result.returncode == 0, result.stderr
    assert result.stdout.isascii()  # any console can show it
    assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(script.read_text("utf-8"))))


def test_harness_with_all_clauses(tmp_path: Path) -> None:
    """SE-4. The way it is taken apart and put together below breaks nothing by itself."""
    result = run_without(0, tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "clause", CLAUSES, ids=lambda clause: f"{clause.lineno}-{ast.unparse(clause.type).strip('()')}"
)
def test_harness_without_a_clause(clause: ast.ExceptHandler, tmp_path: Path) -> None:
    result = run_without(clause.lineno, tmp_path)
    assert result.returncode != 0, f"without line {clause.lineno} nothing is missing:\n{result.stdout}"
    assert "SyntaxError" not in result.stderr


def test_harness_dispatches_on_classes() -> None:
    """No clause catches everything, and none compares codes: ``code`` is looked at in documents only."""
    assert len(CLAUSES) > 10
    assert all(clause.type is not None for clause in CLAUSES)
    assert {"Exception", "BaseException"}.isdisjoint(ast.unparse(clause.type or clause) for clause in CLAUSES)
    attributes = {node.attr for node in ast.walk(ast.parse(HARNESS)) if isinstance(node, ast.Attribute)}
    assert "code" not in attributes
