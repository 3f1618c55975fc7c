"""What Slack and Teams accept, as schemas: the parts of their published formats that notices use."""

from typing import Any

_MRKDWN = {
    "type": "object",
    "required": ["type", "text"],
    "additionalProperties": False,
    "properties": {
        "type": {"const": "mrkdwn"},
        "text": {"type": "string", "minLength": 1, "maxLength": 3000},
        "verbatim": {"const": True},
    },
}
_HEADER = {
    "type": "object",
    "required": ["type", "text"],
    "additionalProperties": False,
    "properties": {
        "type": {"const": "header"},
        "text": {
            "type": "object",
            "required": ["type", "text"],
            "additionalProperties": False,
            "properties": {
                "type": {"const": "plain_text"},
                "text": {"type": "string", "minLength": 1, "maxLength": 150},
                "emoji": {"type": "boolean"},
            },
        },
    },
}
_SECTION = {
    "type": "object",
    "required": ["type", "text"],
    "additionalProperties": False,
    "properties": {"type": {"const": "section"}, "text": _MRKDWN},
}
_CONTEXT = {
    "type": "object",
    "required": ["type", "elements"],
    "additionalProperties": False,
    "properties": {
        "type": {"const": "context"},
        "elements": {"type": "array", "items": _MRKDWN, "minItems": 1, "maxItems": 10},
    },
}
SLACK: dict[str, Any] = {
    "type": "object",
    "required": ["text", "blocks"],
    "additionalProperties": False,
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "blocks": {
            "type": "array",
            "minItems": 1,
            "maxItems": 50,
            "items": {"oneOf": [_HEADER, _SECTION, _CONTEXT]},
        },
    },
}
_OPEN_URL = {
    "type": "object",
    "required": ["type", "url"],
    "additionalProperties": False,
    "properties": {
        "type": {"const": "Action.OpenUrl"},
        "url": {"type": "string", "pattern": "^https?://"},
        "title": {"type": "string", "minLength": 1},
    },
}
_TEXT_RUN = {
    "type": "object",
    "required": ["type", "text"],
    "additionalProperties": False,
    "properties": {
        "type": {"const": "TextRun"},
        "text": {"type": "string", "minLength": 1},
        "weight": {"enum": ["Default", "Lighter", "Bolder"]},
        "size": {"enum": ["Default", "Small", "Medium", "Large", "ExtraLarge"]},
        "selectAction": _OPEN_URL,
    },
}
_CARD = {
    "type": "object",
    "required": ["type", "version", "body"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "http://adaptivecards.io/schemas/adaptive-card.json"},
        "type": {"const": "AdaptiveCard"},
        "version": {"enum": ["1.2", "1.3", "1.4", "1.5"]},
        "msteams": {"type": "object"},
        "body": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["type", "inlines"],
                "additionalProperties": False,
                "properties": {
                    "type": {"const": "RichTextBlock"},
                    "inlines": {"type": "array", "items": _TEXT_RUN, "minItems": 1},
                },
            },
        },
        "actions": {"type": "array", "items": _OPEN_URL},
    },
}
TEAMS: dict[str, Any] = {
    "type": "object",
    "required": ["type", "attachments"],
    "additionalProperties": False,
    "properties": {
        "type": {"const": "message"},
        "attachments": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
                "type": "object",
                "required": ["contentType", "content"],
                "additionalProperties": False,
                "properties": {
                    "contentType": {"const": "application/vnd.microsoft.card.adaptive"},
                    "contentUrl": {"type": "null"},
                    "content": _CARD,
                },
            },
        },
    },
}
