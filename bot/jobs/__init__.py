"""The durable engine: a delivery that was acknowledged becomes a job, and a job gets done.

There is one kind of job, "bring this pull request up to date". Doing it twice changes nothing, so
the engine promises at least once, one at a time for a pull request, and nothing more.
"""
