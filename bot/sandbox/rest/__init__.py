"""The REST operations, by topic. `door` takes a request; the other modules answer it."""
