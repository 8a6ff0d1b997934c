"""Text for notebooks; `html` is imported when it is needed, since it takes longer than a robot."""

from __future__ import annotations


def escape(text: str) -> str:
    """Text as HTML shows it."""
    import html

    return html.escape(text)
