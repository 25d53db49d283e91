from bot.core.report import Check, Conclusion
from bot.handlers import ready


def test_every_check_is_made_known_by_a_success() -> None:
    assert [run.name for run in ready.RUNS] == [check.value for check in Check]
    assert {run.conclusion for run in ready.RUNS} == {Conclusion.SUCCESS}
