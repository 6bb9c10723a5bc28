"""Documents: blocks of text, tables and charts, and what renders them for a terminal, Markdown, a page or JSON."""
