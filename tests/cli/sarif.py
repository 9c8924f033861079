"""The parts of SARIF 2.1.0 that `ludex diff` uses, as a small closed schema. It was held against the one that OASIS
publishes (errata 01; it is long and its own), definition by definition: names, what must be there, which words may
stand, what may not be there twice. More is asked for than there: a place must have lines (but for that of a notice), a
message words in which curly brackets stand in pairs."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string", "minLength": 1}
WHOLE: Schema = {"type": "integer", "minimum": 1}
BAG: Schema = {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}


def closed(*required: str, **members: Schema) -> Schema:
    return {"type": "object", "properties": members, "required": list(required), "additionalProperties": False}


def several(of: Schema, least: int = 0, unique: bool = True) -> Schema:
    return {"type": "array", "items": of, "minItems": least, "uniqueItems": unique}


MESSAGE = closed("text", text={**TEXT, "pattern": r"^([^{}]|\{\{|\}\})*$"})
ARTIFACT = closed(uri={"type": "string", "pattern": r"^[A-Za-z0-9:/._~%-]+$"}, uriBaseId=TEXT, description=MESSAGE)
REGION = closed("startLine", startLine=WHOLE, startColumn=WHOLE, endLine=WHOLE, endColumn=WHOLE)
PHYSICAL = closed("artifactLocation", artifactLocation=ARTIFACT, region=REGION)
LOGICAL = closed(fullyQualifiedName=TEXT)
PLACE: dict[str, Schema] = {"physicalLocation": PHYSICAL, "logicalLocations": several(LOGICAL)}
LOCATION = closed("physicalLocation", **PLACE)
RELATED = closed("physicalLocation", "id", "message", id=WHOLE, message=MESSAGE, **PLACE)
SUPPRESSION = closed(
    "kind",
    kind={"enum": ["inSource", "external"]},
    status={"enum": ["accepted", "underReview", "rejected"]},
    justification=TEXT,
)
RESULT = closed(
    "ruleId", "ruleIndex", "message", "locations",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=several(LOCATION, 1, unique=False),
    relatedLocations=several(RELATED),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    suppressions=several(SUPPRESSION),
    properties=BAG,
)  # fmt: skip
NOTIFICATION = closed(
    "message",
    descriptor=closed("id", id=TEXT),
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=several(
        closed(
            "physicalLocation", physicalLocation=closed("artifactLocation", artifactLocation=ARTIFACT, region=REGION)
        )
    ),
)
INVOCATION = closed(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=several(NOTIFICATION, unique=False),
)
RULE = closed("id", id=TEXT, shortDescription=MESSAGE)
DRIVER = closed("name", name=TEXT, version=TEXT, rules=several(RULE))
RUN = closed(
    "tool", "results",
    tool=closed("driver", driver=DRIVER),
    invocations=several(INVOCATION, unique=False),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={"type": "object", "additionalProperties": ARTIFACT},
    results=several(RESULT, unique=False),
    properties=BAG,
)  # fmt: skip
LOG: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **closed(
        "version", "runs",
        **{"$schema": {"type": "string", "pattern": "sarif-schema-2.1.0.json$"}},
        version={"type": "string", "const": "2.1.0"},
        runs=several(RUN, 1, unique=False),
    ),
}  # fmt: skip
