"""Catch: a code by its class, a category by its base, everything by the root; flags decide the rest."""

import time
from collections.abc import Callable

from agent_errors import (
    AgentError,
    ToolExecutionFailed,
    ToolTimeout,
    UpstreamError,
    UpstreamOverloaded,
    UpstreamRateLimited,
)


def reaction(failure: AgentError) -> str:
    """Say what to do: the first clause that fits counts, so the most special one comes first."""
    try:
        raise failure
    except UpstreamRateLimited as error:
        return f"wait {error.retry_after} s" if error.retryable else "buy credit"
    except UpstreamError:
        return "use another provider"
    except AgentError as error:
        return "tell the model" if error.model_recoverable else "give up"


assert reaction(UpstreamRateLimited(retry_after=2)) == "wait 2 s"
assert reaction(UpstreamRateLimited("no credit left", retryable=False)) == "buy credit"
assert reaction(UpstreamError(code="upstream.of_next_year")) == "use another provider"  # has no class yet
assert reaction(ToolTimeout()) == "tell the model"
assert reaction(AgentError(code="x-acme.account_held")) == "give up"


def retrying(call: Callable[[], str], attempts: int = 3, longest: float = 1.0) -> str:
    """Repeat a call, if it is retryable, and within limits of our own on attempts and waits."""
    while True:
        attempts -= 1
        try:
            return call()
        except AgentError as error:
            wait = error.retry_after or 0.01
            if not error.retryable or attempts == 0 or wait > longest:
                raise
            print(f"{error}: again in {wait} s")
            time.sleep(wait)


def overloaded_twice(failures: list[AgentError]) -> str:
    """Stand in for a model API that needs a moment."""
    if failures:
        raise failures.pop()
    return "the answer"


todo: list[AgentError] = [UpstreamOverloaded(), UpstreamOverloaded(retry_after=0.02)]
assert retrying(lambda: overloaded_twice(todo)) == "the answer"

# Tool calls that ran at the same time fail as a group, and every clause gets its part of it.
caught: list[str] = []
try:
    raise ExceptionGroup("two tool calls", [ToolTimeout(), ToolExecutionFailed("exit status 1")])
except* ToolTimeout as group:
    caught += [f"late: {error}" for error in group.exceptions]
except* AgentError as group:
    caught += [f"failed: {error}" for error in group.exceptions]
print(*caught, sep="\n")
assert caught == ["late: [tool.timeout] Tool Timeout", "failed: [tool.execution_failed] exit status 1"]
