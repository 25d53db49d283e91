"""GitHub's published contract: its OpenAPI description and GraphQL schema, and what they leave out.

`rest` and `graphql` are the two doors. Both only judge: they keep no state and answer no request.
"""
