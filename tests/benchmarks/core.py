"""What the core costs, as ratios to what one would use without it: a Markdown table, and no test.

    python tests/benchmarks/core.py [--seconds 1] [--records 100000]

Both sides of a ratio run in turn in the same process, and only the CPU time of their thread counts, so that
other load on the machine does not. A ratio is the median over all turns; the quartiles show the spread.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import itertools
import json
import logging
import os
import pickle
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

from agent_errors import (
    CODES,
    PROBLEM_TYPE,
    AgentError,
    Location,
    OutputRetriesExhausted,
    OutputSchemaViolation,
    UpstreamRateLimited,
)

Work = Callable[[], object]
Pairs = Iterable[tuple[float, float]]
"""The seconds that both sides of a ratio took, turn by turn."""

FEWEST_TURNS = 15
SAMPLE = 0.002
"""Seconds that one side runs in one turn, so that reading the clock does not count."""


class Row(NamedTuple):
    ours: str
    baseline: str
    target: float
    pairs: Pairs


# Measuring


def cpu_time(work: Work, repeats: int) -> float:
    start = time.thread_time()
    for _ in itertools.repeat(None, repeats):
        work()
    return (time.thread_time() - start) / repeats


def in_turn(ours: Work, baseline: Work, seconds: float) -> Pairs:
    sides = [(work, 1 + int(SAMPLE / cpu_time(work, 10))) for work in (ours, baseline)]
    return until(seconds, lambda: tuple(cpu_time(*side) for side in sides))


def until(seconds: float, turn: Callable[[], Any]) -> Pairs:
    end = time.monotonic() + seconds
    for turns in itertools.count():
        if turns >= FEWEST_TURNS and time.monotonic() > end:
            return
        yield turn()


def printed_by(code: str, cache: str = "") -> str:
    """What a fresh process prints, with compiled modules kept in ``cache``."""
    keep = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": cache} if cache else {}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | keep).stdout


def imports_in_turn(ours: str, baseline: str, seconds: float) -> Pairs:
    """Each import in a fresh process, and all modules compiled before."""
    clock = "time.process_time()"
    with tempfile.TemporaryDirectory() as cache:
        sides = [
            partial(printed_by, f"import time; start = {clock}; import {name}; print({clock} - start)", cache)
            for name in (ours, baseline)
        ]
        for side in sides:
            side()
        yield from until(seconds, lambda: tuple(float(side()) for side in sides))


def show(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def show_table(rows: Iterable[Row]) -> None:
    show("| what | over | ratio | quartiles | target | met |")
    show("|---|---|---:|---:|---:|---|")
    for ours, baseline, target, pairs in rows:
        ratios = [mine / other for mine, other in pairs]
        if not ratios:
            show(f"| {ours} | {baseline} | not installed | | ≤ {target:g} | |")
            continue
        low, middle, high = statistics.quantiles(ratios)
        met = "yes" if middle <= target else "**no**"
        show(f"| {ours} | {baseline} | {middle:.2f} | {low:.2f} to {high:.2f} | ≤ {target:g} | {met} |")


# What is compared


class PlainError(Exception):
    """What one writes without this library."""

    def __init__(
        self,
        detail: str | None = None,
        *,
        code: str | None = None,
        title: str | None = None,
        origin: str | None = None,
        retryable: bool | None = None,
        model_recoverable: bool | None = None,
        model_feedback: str | None = None,
        retry_after: float | None = None,
        attempts: int | None = None,
        max_attempts: int | None = None,
        limit: dict[str, Any] | None = None,
        location: dict[str, Any] | None = None,
        upstream: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.title = title
        self.origin = origin
        self.retryable = retryable
        self.model_recoverable = model_recoverable
        self.model_feedback = model_feedback
        self.retry_after = retry_after
        self.attempts = attempts
        self.max_attempts = max_attempts
        self.limit = limit
        self.location = location
        self.upstream = upstream


class PydanticError(Exception):
    """What one writes around a pydantic model."""

    model: Any = None

    def __init__(self, detail: str | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.members = self.model(**members)


def pydantic_models() -> tuple[Any, Any]:
    """A model of the 12 keywords of ``PlainError``, and one of a document; None, None without pydantic."""
    try:
        pydantic: Any = importlib.import_module("pydantic")
    except ImportError:
        return None, None
    texts = ["code", "title", "origin", "model_feedback"]
    flags = ["retryable", "model_recoverable"]
    counts = ["attempts", "max_attempts"]
    parts = ["limit", "location", "upstream"]
    fields: dict[str, Any] = {
        **dict.fromkeys(texts, (str | None, None)),
        **dict.fromkeys(flags, (bool | None, None)),
        **dict.fromkeys(counts, (int | None, None)),
        **dict.fromkeys(parts, (dict[str, Any] | None, None)),
        "retry_after": (float | None, None),
    }
    members = pydantic.create_model("Members", **fields)
    location = pydantic.create_model(
        "Location",
        **dict.fromkeys(["run_id", "tool_name", "tool_call_id", "pointer"], (str | None, None)),
        turn=(int | None, None),
        __config__={"extra": "allow"},
    )
    document = pydantic.create_model(
        "Document",
        **{**fields, "type": (str, ...), "detail": (str | None, None), "location": (location | None, None)},
        causes=(list["Document"], []),  # type: ignore[name-defined] # noqa: F821, made right here
        __config__={"extra": "allow"},
    )
    return members, document


EXAMPLE: dict[str, Any] = {
    "type": PROBLEM_TYPE,
    "title": "Output Retries Exhausted",
    "detail": "Structured output failed validation after 3 attempts.",
    "code": "output.retries_exhausted",
    "origin": "harness",
    "retryable": False,
    "model_recoverable": False,
    "attempts": 3,
    "max_attempts": 3,
    "location": {"run_id": "run_8f2c", "turn": 5},
    "causes": [
        {
            "type": PROBLEM_TYPE,
            "title": "Output Schema Violation",
            "code": "output.schema_violation",
            "origin": "model",
            "model_recoverable": True,
            "model_feedback": "Field 'price' must be a number, got string.",
            "location": {"turn": 5, "pointer": "/items/0/price"},
        },
    ],
}


def raised_example() -> AgentError:
    return raised_with([violation()])


def violation(causes: Iterable[AgentError] = ()) -> AgentError:
    return OutputSchemaViolation(
        model_feedback="Field 'price' must be a number, got string.",
        location=Location(turn=5, pointer="/items/0/price"),
        causes=causes,
    )


def raised_with(causes: Iterable[AgentError]) -> AgentError:
    return OutputRetriesExhausted(
        "Structured output failed validation after 3 attempts.",
        attempts=3,
        max_attempts=3,
        location=Location(run_id="run_8f2c", turn=5),
        causes=causes,
    )


def raised_wide(causes: int) -> AgentError:
    return raised_with([violation() for _ in range(causes)])


def raised_deep(causes: int) -> AgentError:
    error = violation()
    for _ in range(causes - 1):
        error = violation([error])
    return raised_with([error])


def raised_long(units: int) -> AgentError:
    return OutputSchemaViolation("Field 'price' must be a number. " * (8 * units))


def wide(causes: int) -> dict[str, Any]:
    return {**EXAMPLE, "causes": EXAMPLE["causes"] * causes}


def deep(causes: int) -> dict[str, Any]:
    document: dict[str, Any] = EXAMPLE["causes"][0]
    for _ in range(causes - 1):
        document = {**document, "causes": [document]}
    return {**EXAMPLE, "causes": [document]}


def made(cls: type[Any]) -> Any:
    return cls(
        "Too many requests.",
        model_feedback="Try again with fewer items.",
        retry_after=2.5,
        attempts=2,
        max_attempts=5,
    )


def raise_and_catch(cls: type[BaseException]) -> None:
    try:
        raise made(cls)
    except cls:
        pass


def pickled_and_back(error: BaseException) -> object:
    return pickle.loads(pickle.dumps(error, pickle.HIGHEST_PROTOCOL))  # noqa: S301, our own


def stream(records: int, peaks: list[int]) -> Pairs:
    """Read lines of NDJSON, one error at a time; ``peaks`` gets the memory in use at the most, as it goes."""
    lines = ndjson()
    chunk = 200
    for _ in range(0, records, chunk):
        some = list(itertools.islice(lines, chunk))
        yield read_all(AgentError.from_json, some), read_all(json.loads, some)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def read_all(read: Callable[[bytes], object], lines: list[bytes]) -> float:
    start = time.thread_time()
    kept = None
    for line in lines:
        kept = read(line)
    del kept
    return time.thread_time() - start


def ndjson() -> Iterator[bytes]:
    """Lines of all codes, without end, every one different."""
    classes = list(CODES.values())
    dice = random.Random(0)  # noqa: S311, no secret
    for number, cls in enumerate(itertools.cycle(classes)):
        causes = [problem_of(dice.choice(classes), number) for _ in range(dice.choice([0, 0, 0, 1, 2, 3]))]
        yield json.dumps({**problem_of(cls, number), **({"causes": causes} if causes else {})}).encode()


def problem_of(cls: type[AgentError], number: int) -> dict[str, Any]:
    document: dict[str, Any] = {
        "type": PROBLEM_TYPE,
        "title": cls.title,
        "detail": f"Step {number} of the run failed.",
        "code": cls.code,
        "origin": cls.origin,
        "retryable": cls.retryable,
        "model_recoverable": cls.model_recoverable,
        "location": {"run_id": f"run_{number:08x}", "turn": number % 50 + 1},
    }
    if cls.category == "upstream":
        document["upstream"] = {"provider": "acme", "status": 503, "code": "overloaded_error"}
    if cls.retryable:
        document["retry_after"] = number % 60
    return document


# Tables


def import_rows(seconds: float) -> Iterator[Row]:
    pairs = imports_in_turn("agent_errors", "attrs", seconds)
    yield Row("`import agent_errors`", "`import attrs`", 1.2, pairs)


def stream_rows(records: int, peaks: list[int]) -> Iterator[Row]:
    what = f"`from_json` of {records:,} lines of NDJSON, all {len(CODES)} codes"
    yield Row(what, "`json.loads`", 1.4, stream(records, peaks))


def core_rows(seconds: float) -> Iterator[Row]:
    members, document = pydantic_models()

    def row(ours: str, baseline: str, target: float, our_work: Work, its_work: Work | None) -> Row:
        return Row(ours, baseline, target, in_turn(our_work, its_work, seconds) if its_work else ())

    PydanticError.model = members
    raising = partial(raise_and_catch, UpstreamRateLimited)
    plain = partial(raise_and_catch, PlainError)
    around = members and partial(raise_and_catch, PydanticError)
    yield row("construct with 4 members, raise, catch", "plain exception, 12 keywords", 0.9, raising, plain)
    yield row("the same", "exception around a pydantic model", 1 / 4, raising, around)

    text = json.dumps(EXAMPLE)
    for what, json_text, target in (
        ("section 9", text, 1.3),
        ("50 causes wide", json.dumps(wide(50)), 1.1),
        ("50 causes deep", json.dumps(deep(50)), 1.5),
    ):
        reading = partial(AgentError.from_json, json_text)
        validating = document and partial(document.model_validate_json, json_text)
        yield row(f"`from_json`, {what}", "`json.loads`", target, reading, partial(json.loads, json_text))
        yield row("the same", "pydantic `model_validate_json`", 1, reading, validating)

    received, raised = AgentError.from_json(text), raised_example()
    dumping, loading = partial(json.dumps, EXAMPLE), partial(json.loads, text)
    yield row("`to_json`, section 9, received", "`json.dumps`", 3, received.to_json, dumping)
    yield row("`to_json`, section 9, raised here", "`json.dumps`", 4, raised.to_json, dumping)
    yield row("`to_problem`, section 9, received", "`json.loads`", 4.5, received.to_problem, loading)
    yield row("`to_problem`, section 9, raised here", "`json.loads`", 4.5, raised.to_problem, loading)
    reading = partial(AgentError.from_problem, EXAMPLE)
    yield row("`from_problem`, section 9", "`json.loads`", 3, reading, loading)

    pickling = partial(pickled_and_back, made(UpstreamRateLimited))
    plain_pickling = partial(pickled_and_back, made(PlainError))
    yield row("pickle round trip, 4 members", "plain exception, 12 keywords", 1, pickling, plain_pickling)


def show_growth(seconds: float) -> None:
    """How much longer ``to_json`` takes for twice as much: growth is linear if it is never much more than 2.

    Beyond the bounds, 64 levels and 256 causes, the rest of the causes costs next to nothing.
    """
    show("| `to_json` of twice as much | causes wide | causes deep | detail, in units of 256 characters |")
    show("|---|---:|---:|---:|")
    for size in (2**power for power in range(10)):
        ratios: list[float] = []
        for growing in (raised_wide, raised_deep, raised_long):
            once, twice = growing(size), growing(2 * size)
            pairs = in_turn(twice.to_json, once.to_json, seconds)
            ratios.append(statistics.median(longer / shorter for longer, shorter in pairs))
        show(f"| {2 * size} over {size} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")


def loaded_needlessly() -> list[str]:
    """Modules that ``import agent_errors`` loads and has no use for: slow ones, and other distributions."""
    code = "import sys; before = {*sys.modules}; import agent_errors; print(*{*sys.modules} - before)"
    loaded = {module.partition(".")[0] for module in printed_by(code).split()}
    return sorted(
        loaded - sys.stdlib_module_names - {"agent_errors", "attr", "attrs"} | loaded & {"json", "logging"}
    )


def version(distribution: str) -> str:
    try:
        return f"{distribution} {metadata.version(distribution)}"
    except metadata.PackageNotFoundError:
        return f"{distribution} not installed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1, help="for each ratio")
    parser.add_argument("--records", type=int, default=100_000, help="lines of NDJSON")
    arguments = parser.parse_args()

    logging.disable()  # what is cut beyond the bounds
    gc.freeze()  # nothing that was imported is looked at again
    distributions = ("agent-errors", "attrs", "cattrs", "pydantic")
    show(", ".join([f"Python {platform.python_version()}", *map(version, distributions)]) + "\n")
    peaks: list[int] = []
    show_table(
        itertools.chain(
            stream_rows(arguments.records, peaks),  # first, for its peak of memory
            import_rows(arguments.seconds),
            core_rows(arguments.seconds),
        )
    )
    show(f"\nLoaded by `import agent_errors` without need: {', '.join(loaded_needlessly()) or 'nothing'}.")
    early, late = peaks[len(peaks) // 10], peaks[-1]
    show(f"Peak of memory after a tenth of the NDJSON: {early:,} KiB, after all of it: {late:,} KiB.\n")
    show_growth(arguments.seconds / 5)


if __name__ == "__main__":
    main()
