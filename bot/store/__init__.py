"""The database: what was delivered, and what each pull request still waits for.

It holds ids and facts, never texts: no payload, comment, file content or secret.
"""
