"""Kernels in Python, call for call those of the C++ program."""
