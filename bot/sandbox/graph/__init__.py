"""GraphQL: the state as the objects of GitHub's schema. `door` takes a request.

Each class stands for one type of the schema; its attributes are the type's fields in snake case,
its methods the fields with arguments. A field that is missing here is not in the sandbox yet.
"""
