"""The pages that people see: a pull request with its conversation, checks and files, and a box.

They stand at the addresses that `html_url` names, beside the API. What they show is hostile (memory
texts, comments, file names): nothing in it may run, and no other site may read or write here.
"""

from bot.sandbox.page.door import routes

__all__ = ["routes"]
