"""How the documentation site is built: from the Markdown pages, offline, readable without a network."""

import sys
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

project = "Quorate"
author = "The authors of Quorate"
copyright = author
version = release = installed("quorate")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "examples"]
myst_heading_anchors = 3  # every heading can be linked to, as on a code host
myst_links_external_new_tab = False
highlight_language = "text"  # blocks that do not say what they are in
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

html_theme = "furo"
html_title = "Quorate"
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it asks for pages, which a site opened by double click may not
html_theme_options = {"sidebar_hide_name": False}
language = "en"


def setup(app: Any) -> None:
    """Draw the pictures before the pages are read."""
    import pictures

    app.connect("builder-inited", lambda app: pictures.draw())
