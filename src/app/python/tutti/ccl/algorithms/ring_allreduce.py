"""Ring all-reduce: reduce-scatter, then all-gather, 2 (P - 1) steps of one block each (Patarasuk and Yuan 2009)."""
from ..helpers import Piece
from .walk import ring_walk


def kernel(t_ptr, rank, world_size, tl):
    ring_walk(tl, t_ptr, "E", "W", world_size, Piece(0, t_ptr.elements), rank, 2 * (world_size - 1), world_size - 1)


def neighbors(rank, world_size, neighbor_map):
    return None
