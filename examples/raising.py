"""Raise: one class for each code, its members as keywords, and a class of your own for a private code."""

from agent_errors import AgentError, Limit, Location, LoopBudgetExceeded, Origin, OutputSchemaViolation


def check_price(price: object) -> None:
    """Tell operators what happened, and the model what to correct."""
    if not isinstance(price, int | float):
        raise OutputSchemaViolation(
            "the price is text",
            model_feedback="'price' must be a number without a currency.",
            location=Location(turn=3, pointer="/price"),
        )


def feedback(price: object) -> str:
    """Say what the model is told about a price."""
    try:
        check_price(price)
    except OutputSchemaViolation as error:
        print(error.to_json())
        return error.to_feedback()
    return "fine"


assert feedback(12.0) == "fine"
assert feedback("12 EUR") == "'price' must be a number without a currency."

# What an error does not state is the default of its code; this one knows better: the budget is a daily one.
held = LoopBudgetExceeded(limit=Limit("cost", 5, observed=5.2, unit="EUR"), retryable=True, retry_after=3600)
print(held.to_json())
assert held.retryable
assert not LoopBudgetExceeded.retryable
assert held.stated == {"limit", "retryable", "retry_after"}


class AcmeAccountHeld(AgentError):
    """The account is on hold until someone has looked at it."""

    code: str = "x-acme.account_held"
    title: str = "Account Held"
    origin: Origin | None = "upstream"
    http_status: int = 403
    default_feedback: str = "The account is on hold. Do not try again: say what is still open."


print(AcmeAccountHeld("two chargebacks"))
assert AcmeAccountHeld.category == "x-acme"
assert isinstance(AgentError.from_json(AcmeAccountHeld().to_json()), AcmeAccountHeld)
