"""Side-by-side benchmarks: ``python -m bench [name ...] [--quick] [--json FILE]``. See docs/benchmarks.md."""
