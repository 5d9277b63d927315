"""Collective kernels in Python: algorithms, helpers for authors, and a mock without a machine."""
from . import algorithms, helpers, testing

__all__ = ["algorithms", "helpers", "testing"]
