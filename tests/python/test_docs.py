"""The examples of docstrings run, and the type stubs have the names and parameters of the module."""

import ast
import doctest
import inspect
import re
import subprocess
from pathlib import Path

import pytest
import somacat

STUBS = ast.parse((Path(somacat.__file__).parent / "__init__.pyi").read_text())


def members():
    """Every public object of the module, and every member of its classes."""
    yield "somacat", somacat.somacat
    for name in somacat.__all__:
        if not name.startswith("_"):
            thing = getattr(somacat, name)
            yield name, thing
            if inspect.isclass(thing):
                own = {key: value for key, value in vars(thing).items() if not key.startswith("_")}
                yield from ((f"{name}.{key}", value) for key, value in own.items())


@pytest.mark.parametrize("name, thing", list(members()), ids=lambda value: value if isinstance(value, str) else "")
def test_docstring(name, thing):
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    globs = {key: getattr(somacat, key) for key in somacat.__all__}
    test = doctest.DocTestParser().get_doctest(text, globs, name, None, None)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_document(catalog, monkeypatch):
    monkeypatch.chdir(catalog.parent)
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", None, None)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner().run(test).failed == 0


def is_public(name):
    """Whether users or notebooks call it."""
    return not name.startswith("_") or name.startswith("_repr_")


def parameters(function):
    """Names and kinds of the parameters of a stub."""
    arguments = function.args
    names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    return [name for name in names if name not in ("self", "cls")], [argument.arg for argument in arguments.kwonlyargs]


def of_module(function):
    """Names and kinds of the parameters of a function of the module."""
    found = inspect.signature(function).parameters.values()
    named = [p.name for p in found if p.kind is not p.KEYWORD_ONLY and p.name != "self"]
    return named, [p.name for p in found if p.kind is p.KEYWORD_ONLY]


def test_stubs():
    stubs = {node.name: node for node in STUBS.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    public = {name for name in somacat.__all__ if not name.startswith("_")}
    assert set(stubs) == public
    for name, node in stubs.items():
        thing = getattr(somacat, name)
        if isinstance(node, ast.FunctionDef):
            assert parameters(node) == of_module(thing), name
            continue
        methods = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
        assert set(filter(is_public, vars(thing))) == set(filter(is_public, methods)), name
        for key, method in methods.items():
            if callable(getattr(thing, key)) and not key.startswith("__"):
                assert parameters(method) == of_module(getattr(thing, key)), f"{name}.{key}"
        if "__new__" in methods:
            assert parameters(methods["__new__"]) == of_module(thing), name


def test_filters_are_those_of_the_command():
    text = subprocess.run(["somacat", "query", "--help"], capture_output=True, text=True, check=True).stdout
    filters = re.search(r"^Filters:\n(.*?)^\S", text, re.MULTILINE | re.DOTALL).group(1)
    options = set(re.findall(r"^ +--([a-z-]+)", filters, re.MULTILINE))
    other_names = {"class": "classes", "box": "bounds", "set": "pieces"}
    expected = {other_names.get(option, option.replace("-", "_")) for option in options} - {"unique_count", "unique"}
    assert set(inspect.signature(somacat.Catalog.query).parameters) - {"self"} == expected | {"like"}
