"""The actions of pull request rules, one module per action."""

from importlib import import_module

from mergecast.language.configuration.models.actions import Actions
from mergecast.language.rules.actions.plan import Action

# The model lists the actions; each module has the name of its action.
ACTIONS: dict[str, Action] = {
    name: import_module(f"mergecast.language.rules.actions.{name}").ACTION
    for name in (field.alias or name for name, field in Actions.model_fields.items())
}
