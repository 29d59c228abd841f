"""Why something that a person wanted was not done."""


class Refused(Exception):
    """The person cannot do that; the text says why, and nothing has changed."""


class Stale(Exception):
    """The press belongs to a question that has gone."""
