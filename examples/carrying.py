"""Carry: the same class comes out at the other end of a process, a line of JSON, another harness."""

import json
import traceback
from concurrent.futures import ProcessPoolExecutor

from agent_errors import (
    AgentError,
    Limit,
    LoopMaxTurnsExceeded,
    NotAHarnessProblem,
    UpstreamAgentFailed,
    is_problem,
)


def research() -> None:
    """Stand in for an agent that runs in another process."""
    raise LoopMaxTurnsExceeded("no answer", limit=Limit("turns", 50, observed=50))


def delegate(line: str) -> None:
    """Stand in for a harness that has delegated a task, and got this line back: wrap it, rewrite nothing."""
    raise UpstreamAgentFailed("the research agent failed") from AgentError.from_json(line)


def main() -> None:
    """Carry an error over three boundaries."""
    with ProcessPoolExecutor(1) as pool:
        # A process pool pickles what is raised in it.
        failure = pool.submit(research).exception()
        assert isinstance(failure, LoopMaxTurnsExceeded)
        assert failure.limit == Limit("turns", 50, observed=50)

        # Whatever else there is takes JSON; say who will read it.
        line = failure.to_json(audience="peer")
        print(line)
        received = AgentError.from_json(line)
        assert isinstance(received, LoopMaxTurnsExceeded)
        assert received.to_problem() == json.loads(line)
        assert "detail" not in failure.to_problem(audience="public")

        # What `raise ... from ...` chains is in the document, and in the traceback at the other end.
        wrapped = pool.submit(delegate, line).exception()
    assert isinstance(wrapped, UpstreamAgentFailed)
    outer = AgentError.from_json(wrapped.to_json())
    assert isinstance(outer.__cause__, LoopMaxTurnsExceeded)
    assert outer.causes == (outer.__cause__,)
    print(*traceback.format_exception(outer), sep="")

    # Other problem documents are left to others.
    other = {"type": "about:blank", "title": "Not Found", "status": 404}
    assert not is_problem(other)
    try:
        AgentError.from_problem(other)
    except NotAHarnessProblem as error:
        print(error)


if __name__ == "__main__":
    main()
