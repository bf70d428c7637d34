"""Translate: somebody else's failure becomes the error that says what to do, and stays its ``__cause__``."""

import http.client
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from agent_errors import AgentError, OutputMalformed, ToolTimeout, UpstreamUnavailable


def read_output(text: str) -> Any:
    """Read what the model has written: if it cannot be read, the model can correct it."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise OutputMalformed(model_feedback=f"Send JSON and nothing else: {error}.") from error


def call_model(port: int) -> int:
    """Call a model API: if it cannot be reached, a retry may help."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("POST", "/")
        return connection.getresponse().status
    except OSError as error:
        raise UpstreamUnavailable("the model API cannot be reached", retry_after=1) from error
    finally:
        connection.close()


def run_tool(code: str) -> str:
    """Run code: if it takes too long, nobody knows what it has done by then, so no retry by itself."""
    try:
        command = [sys.executable, "-I", "-c", code]
        return subprocess.run(command, capture_output=True, text=True, timeout=0.2, check=True).stdout  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise ToolTimeout("the code ran for 0.2 s", retryable=False) from error


def failure_of(call: Callable[[], object]) -> AgentError | None:
    """Make a call that fails."""
    try:
        call()
    except AgentError as error:
        print(f"{type(error.__cause__).__name__} -> {error}")
        return error
    return None


failures = [
    failure_of(lambda: read_output("Sure! Here it is.")),
    failure_of(lambda: call_model(port=1)),  # where nothing listens
    failure_of(lambda: run_tool("while True: pass")),
]
assert [type(error) for error in failures] == [OutputMalformed, UpstreamUnavailable, ToolTimeout]

# A traceback shows the foreign cause. A document does not: who knows what it would give away.
for error in failures:
    assert error
    assert error.__cause__
    assert "causes" not in error.to_problem()
