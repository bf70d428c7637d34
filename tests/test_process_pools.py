"""Errors that are raised in another process and caught in this one."""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.pool import Pool
from typing import NoReturn

import pytest
from every_error import EVERY_CODE, AcmeQuotaHeld, ConfigMalformed, full, members, told

from agent_errors import AgentError, OutputEmpty, OutputMalformed, OutputRetriesExhausted, UpstreamError

METHODS = ["fork", "spawn"]
SECONDS = 60

every_code = pytest.mark.parametrize("code", EVERY_CODE)


# For one class of tests each: a process that has threads, such as those of another pool, must not fork.


@pytest.fixture(scope="class", params=METHODS)
def executor(request: pytest.FixtureRequest) -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(request.param)) as executor:
        yield executor


@pytest.fixture(scope="class", params=METHODS)
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    with multiprocessing.get_context(request.param).Pool(2) as pool:
        yield pool


# What the workers do


def fail(code: str) -> NoReturn:
    """Raise an error of a code, or of a class of a user's, as far from bare as it can be."""
    error = made(code)
    error.add_note("while booking")
    error.add_note("on Monday")
    raise error from ValueError("v")


def made(code: str) -> AgentError:
    if code == "x-acme.quota_held":
        return AcmeQuotaHeld("until Monday", **members(AcmeQuotaHeld))
    if code == "x-acme.made_up":
        return AgentError("what happened", code=code, **members(AgentError))
    if code == "upstream.made_up":
        return UpstreamError("what happened", code=code, **members(UpstreamError))
    if code == "config.json":
        return ConfigMalformed(code, 7)
    return full(code)


def give_up() -> NoReturn:
    """Raise an error with 2,000 causes that only `raise ... from ...` implies."""
    error: AgentError = OutputMalformed("0")
    for number in range(1, 2000):
        outer = OutputEmpty(str(number))
        outer.__cause__ = error
        error = outer
    raise OutputRetriesExhausted("2,000 attempts") from error


class ForeignError(Exception):
    """One that can be pickled, and not be unpickled; what hangs on it can do neither."""

    def __init__(self, connection: object, *, status: int) -> None:
        """Hold on to what belongs to the process."""
        super().__init__()
        self.connection = connection
        self.status = status


def fail_over_a_foreign_error() -> NoReturn:
    foreign = ForeignError(threading.Lock(), status=500)
    foreign.__cause__ = OutputEmpty("the one below")
    raise OutputRetriesExhausted("3 attempts") from foreign


def pass_on(document: dict[str, object]) -> NoReturn:
    raise AgentError.from_problem(document)


# What arrives


def caught(call: Callable[[], object]) -> AgentError:
    with pytest.raises(AgentError) as info:
        call()
    return info.value


def expected(code: str) -> dict[str, object]:
    return {**told(made(code)), "notes": ["while booking", "on Monday"]}


every_kind = pytest.mark.parametrize(
    "code", [*EVERY_CODE, "x-acme.quota_held", "x-acme.made_up", "upstream.made_up", "config.json"]
)


class TestExecutor:
    @every_kind
    def test_an_error_that_a_worker_raises(self, executor: ProcessPoolExecutor, code: str) -> None:
        error = caught(lambda: executor.submit(fail, code).result(SECONDS))
        assert told(error) == expected(code)

    def test_a_class_with_arguments_of_its_own(self, executor: ProcessPoolExecutor) -> None:
        error = caught(lambda: executor.submit(fail, "config.json").result(SECONDS))
        assert isinstance(error, ConfigMalformed)
        assert (error.path, error.line, error.args) == ("config.json", 7, ("config.json:7",))

    @every_code
    def test_an_error_that_a_worker_returns(self, executor: ProcessPoolExecutor, code: str) -> None:
        error = executor.submit(full, code).result(SECONDS)
        assert told(error) == told(full(code))
        assert error.__cause__ is error.causes[0]

    def test_the_innermost_of_implied_causes_arrives(self, executor: ProcessPoolExecutor) -> None:
        """CA-4: causes are bounded, and the innermost is kept."""
        chain = [caught(lambda: executor.submit(give_up).result(SECONDS))]
        while causes := chain[-1].causes:
            cause = causes[-1]
            assert isinstance(cause, AgentError)
            chain.append(cause)
        assert len(chain) == 65
        assert [str(link) for link in (*chain[:3], chain[-1])] == [
            "[output.retries_exhausted] 2,000 attempts",
            "[output.empty] 1999",
            "[output.empty] 1998",
            "[output.malformed] 0",
        ]

    def test_a_foreign_cause_that_cannot_be_pickled(self, executor: ProcessPoolExecutor) -> None:
        """It stays behind, and what it hides arrives."""
        error = caught(lambda: executor.submit(fail_over_a_foreign_error).result(SECONDS))
        assert str(error) == "[output.retries_exhausted] 3 attempts"
        assert [str(cause) for cause in error.causes] == ["[output.empty] the one below"]

    def test_a_received_error_arrives_as_received(self, executor: ProcessPoolExecutor) -> None:
        """CA-3: it is passed on as it came."""
        document = {**full("tool.timeout").to_problem(), "member_of_a_later_draft": [1]}
        error = caught(lambda: executor.submit(pass_on, document).result(SECONDS))
        assert error.provenance == "received"
        assert error.to_problem() == document
        assert list(error.to_problem()) == list(document)


class TestPool:
    """A pool hangs for ever over an error that cannot be unpickled."""

    @every_kind
    def test_an_error_that_a_worker_raises(self, pool: Pool, code: str) -> None:
        error = caught(lambda: pool.map_async(fail, [code]).get(SECONDS))
        assert told(error) == expected(code)

    def test_a_foreign_cause_that_cannot_be_pickled(self, pool: Pool) -> None:
        error = caught(lambda: pool.apply_async(fail_over_a_foreign_error).get(SECONDS))
        assert [str(cause) for cause in error.causes] == ["[output.empty] the one below"]
