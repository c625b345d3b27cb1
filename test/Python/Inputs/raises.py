"""For tests of the package."""


def raises(kind, text, function, *arguments, **options):
    """The exception, of exactly that class, that the call must raise; `text` is in it."""
    try:
        value = function(*arguments, **options)
    except Exception as error:
        if type(error) is not kind or text not in str(error):
            raise
        return error
    raise AssertionError(f"no {kind.__name__} with {text!r}, but {value!r}")
