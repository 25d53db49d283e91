"""Hostile bytes by the million: whatever is read from strangers raises our own errors or nothing.

python -m tests.fuzz [N] [SEED]                 N inputs in all; the seed is printed
python -m tests.fuzz --target NAME --input BASE64   one input again
"""
