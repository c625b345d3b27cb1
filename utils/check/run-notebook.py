#!/usr/bin/env python3
"""Runs the code cells of a notebook in one process, in their order, and compares what they print, and the
value of a last expression, with what the notebook has.

usage: run-notebook.py [--update] NOTEBOOK.ipynb

--update writes what they print into the notebook instead. This needs no Jupyter: the cells may
use whatever a Python program may, but no magic commands and no pictures.
"""
import ast
import contextlib
import difflib
import io
import json
import pathlib
import sys


def lines(text):
    """A text as notebooks keep it."""
    return text.splitlines(keepends=True)


def run(source, name, names):
    """The outputs of a cell, as the notebook keeps them."""
    tree = ast.parse(source, name)
    value = None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        outputs.append({"data": {"text/plain": lines(repr(value))}, "output_type": "execute_result", "metadata": {}})
    return outputs


def text_of(outputs):
    return "".join("".join(one.get("text") or one["data"]["text/plain"]) for one in outputs)


def main():
    update = "--update" in sys.argv[1:]
    (path,) = [pathlib.Path(word) for word in sys.argv[1:] if word != "--update"]
    notebook = json.loads(path.read_text())
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if not cells:
        sys.exit(f"{path}: no code cells")
    for number, cell in enumerate(cells, 1):
        outputs = run("".join(cell["source"]), f"{path.name}, cell {number}", names)
        if update:
            for one in outputs:
                if one["output_type"] == "execute_result":
                    one["execution_count"] = number
            cell.update(outputs=outputs, execution_count=number)
        elif (shown := text_of(cell["outputs"])) != (printed := text_of(outputs)):
            sys.exit(f"{path}: cell {number}\n" + "".join(
                difflib.unified_diff(lines(shown), lines(printed), "the notebook", "the cell")))
    if update:
        path.write_text(json.dumps(notebook, indent=1) + "\n")
    print(f"{len(cells)} cells")


if __name__ == "__main__":
    main()
