"""The type of an array in annotations."""
from __future__ import annotations

import typing

import numpy.typing

#: Of any elements and any shape.
Array = numpy.typing.NDArray[typing.Any]
