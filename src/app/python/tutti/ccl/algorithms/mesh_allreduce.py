"""All-reduce on a grid that wraps: reduce-scatter along the rows, all-reduce along the columns, all-gather along the rows."""
from ..helpers import Piece, part
from .walk import ring_walk


def kernel(t_ptr, rank, world_size, tl):
    rows, columns, _ = tl.grid
    row, column = divmod(rank, columns)
    whole = Piece(0, t_ptr.elements)
    ring_walk(tl, t_ptr, "E", "W", columns, whole, column - 1, columns - 1, columns - 1)
    own = part(whole, columns, column)
    ring_walk(tl, t_ptr, "S", "N", rows, own, row, 2 * (rows - 1), rows - 1)
    ring_walk(tl, t_ptr, "E", "W", columns, whole, column, columns - 1, 0)
