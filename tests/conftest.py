"""Settings of the whole suite."""

from hypothesis import settings

# The same inputs in every run, however slow the machine: a failure is never a matter of luck.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")
