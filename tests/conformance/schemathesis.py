"""Bodies of kinds that Schemathesis does not know: sent, they are text; of an answer, the schema describes one line."""

import json

import schemathesis

# stands for the answer to no lines, which is empty
NO_LINE = '{"line": 1, "outcome": "skipped"}'


@schemathesis.serializer("application/x-ndjson", "application/jsonl", "application/sparql-query")
def text(_context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson")
def first_line(_context, response):
    return json.loads(response.text.partition("\n")[0] or NO_LINE)
