"""The workbench in the browser: judges' pages, the lead's dashboard and the JSON API, over :mod:`quorate.store`."""
