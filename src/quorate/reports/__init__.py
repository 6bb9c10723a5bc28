"""The report: one page that answers the five questions about a panel, as HTML, text, Markdown or JSON.

The package is not called ``report``, because importing it would then hide the function of that name.
"""

from quorate.reports.model import Report, report

__all__ = ["Report", "report"]
