"""All tools, and the call of one by its name."""

from collections.abc import Mapping
from typing import Any

from mergecast.tools.asking import Asker
from mergecast.tools.ci_checks import FLAKINESS
from mergecast.tools.pull_requests import EXPLAIN, STATUS
from mergecast.tools.queues import CHANGED, QUEUE, REPOSITORIES
from mergecast.tools.set_up import AUDIT
from mergecast.tools.settings import CHECK, FORECAST
from mergecast.tools.tool import Result, Tool

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (STATUS, EXPLAIN, FLAKINESS, QUEUE, CHANGED, FORECAST, CHECK, AUDIT, REPOSITORIES)
}


async def call(tool: Tool, arguments: Mapping[str, Any], asker: Asker) -> Result:
    """The answer for a model; raises `ToolError`."""
    result = await tool.answer(asker, tool.read(arguments))
    return result.fitted()
