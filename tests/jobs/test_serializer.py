from bot.jobs.serializer import JobError, JsonSerializer


def test_arguments_come_back_as_they_were() -> None:
    inputs = {"args": [1, 2, "ü"], "kwargs": {}}
    serializer = JsonSerializer()
    assert serializer.deserialize(serializer.serialize(inputs)) == inputs


def test_an_exception_is_kept_by_its_name_alone() -> None:
    serializer = JsonSerializer()
    kept = serializer.serialize(LookupError("what must not be kept"))
    assert kept == '{"exception":"LookupError"}'
    error = serializer.deserialize(kept)
    assert isinstance(error, JobError)
    assert str(error) == "LookupError"
