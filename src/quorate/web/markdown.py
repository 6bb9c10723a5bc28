"""Guidelines and consent: Markdown with HTML off, images off, and links that tell nobody where they were clicked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=64)
def html(text: str) -> str:
    """Safe HTML of a Markdown text.

    >>> html("**Read** <script>alert(1)</script>")
    '<p><strong>Read</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\\n'
    """
    return str(_parser().render(text))


@lru_cache(maxsize=1)
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")

    def link_open(self: Any, tokens: Any, k: int, options: Any, env: Any) -> str:
        tokens[k].attrSet("rel", "noreferrer noopener")
        tokens[k].attrSet("target", "_blank")
        return str(self.renderToken(tokens, k, options, env))

    parser.add_render_rule("link_open", link_open)
    return parser
