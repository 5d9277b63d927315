"""All-reduce up and down a binary tree with root 0."""
from ..helpers import Piece
from .walk import tree_walk


def kernel(t_ptr, rank, world_size, tl):
    children = [p for p in ("child_left", "child_right") if tl.has(p)]
    tree_walk(tl, t_ptr, "parent" if tl.has("parent") else None, children, Piece(0, t_ptr.elements))
