"""The JSON schema of system files, from which editors complete and check what is written."""

from __future__ import annotations

from typing import Any

from pidm.language import editor_words
from pidm.language.file_values import SHOWS_SCHEMA
from pidm.language.schema import File, Line


def json_schema() -> dict[str, Any]:
    """The JSON schema of system files, for completion and checks in editors."""
    schema = File.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    # The models of lines hold call and meaning apart; in the file the call is the key.
    definitions["Line"] = {
        "type": "object",
        "description": Line.__doc__,
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {
            "either": {
                "description": "Lines that are equal: a hand that fits several is settled by simulation.",
                "type": "array",
                "items": {"$ref": "#/$defs/Line"},
            }
        },
        "additionalProperties": {"anyOf": [*SHOWS_SCHEMA["anyOf"], {"$ref": "#/$defs/Body"}]},
    }
    definitions["Block"]["properties"]["bid"]["items"] = {"$ref": "#/$defs/Line"}
    definitions["Block"]["anyOf"] = [{"required": ["bid"]}, {"required": ["never"]}]
    schema["properties"]["rules"]["items"] = {"$ref": "#/$defs/Block"}
    _explain_words(definitions)
    for model in (schema, definitions["Block"], definitions["Body"]):
        model["additionalProperties"] = False
        for field in model["properties"].values():
            for key in ("default", "title"):
                field.pop(key, None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Bidding system of pidm",
    }


def _explain_words(definitions: dict[str, Any]) -> None:
    """Let editors offer conditions, terms, features and forces, and say what they mean."""
    meanings = {**editor_words.TERMS, **editor_words.feature_words()}
    offered = {"shows": meanings, "when": editor_words.CONDITIONS, "forcing": editor_words.FORCES}
    for name in ("Body", "Block"):
        for key, words in offered.items():
            field = definitions[name]["properties"].get(key)
            if field is not None:
                field["anyOf"] = [*field["anyOf"], editor_words.suggested(words)]
                field["markdownDescription"] = f"{field['description']}\n\n{editor_words.described(words)}"
    line = definitions["Line"]["additionalProperties"]
    line["anyOf"] = [*line["anyOf"], editor_words.suggested(meanings)]
