"""The papers' tables and figures recomputed, cell by cell, beside the printed numbers. One file per paper."""
