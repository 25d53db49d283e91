from bot.core.report import Check, Conclusion
from bot.handlers.own_failures import runs_after
from bot.store.pulls import Failure


def test_every_check_says_how_to_go_on_and_where_the_reason_is() -> None:
    runs = runs_after(Failure(error="KeyError", request_id="0a1b2c"), remedy="Push again.")
    assert [run.name for run in runs] == [check.value for check in Check]
    for run in runs:
        assert run.conclusion is Conclusion.FAILURE
        assert run.title == "The bot could not check this (request 0a1b2c)"
        assert "Push again. The operator" in run.summary
        assert "KeyError" not in f"{run.title}{run.summary}"
