"""The conformance vectors of spec/vectors and a runner for any folder of such files.

    python -m tests.vectors [FOLDER]

Each format has a module with one function, `run(case) -> Verdict`; FORMATS in runner.py names them.
"""
