"""Command lines of the tools that are written in Python: what is wrong with one, in the words of all tools."""
import argparse
import difflib
import sys


def unknown_option(word, known):
    """What is said of an option that is none of `known`."""
    near = difflib.get_close_matches(word.partition("=")[0], known, n=1)
    return f"unknown option '{word}'" + (f"; did you mean '{near[0]}'?" if near else "")


class Parser(argparse.ArgumentParser):
    """Says what is wrong as all tools do, a misspelt option first; exit code 1. It has a `prog`."""

    def error(self, message):
        sys.exit(f"{self.prog}: error: {message}; see {self.prog} --help")

    def parse_args(self, words):
        known = self._option_string_actions
        for word in words:
            name = word.partition("=")[0]
            if name.startswith("-") and name not in known and name[:2] not in known:
                self.error(unknown_option(word, known))
        return super().parse_args(words)
