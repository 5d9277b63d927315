"""Parts of a tensor, steps of rings and trees (ADR-0023 D15); the same numbers as ccl/helpers.h."""
from collections import namedtuple

from ..tl import SIZE, Pointer

Piece = namedtuple("Piece", "first elements")
TreeStep = namedtuple("TreeStep", "level parent child_left child_right")


def part(whole, parts, index):
    """Part `index`, modulo `parts`, of a Piece: parts follow each other and differ by at most one element.

    >>> [part(Piece(0, 10), 4, i) for i in range(4)]
    [Piece(first=0, elements=2), Piece(first=2, elements=3), Piece(first=5, elements=2), Piece(first=7, elements=3)]
    """
    index %= parts

    def begin(i):
        return whole.elements // parts * i + whole.elements % parts * i // parts
    return Piece(whole.first + begin(index), begin(index + 1) - begin(index))


def chunked(addr, n_chunks, elements=None, dtype=None):
    """A tensor as `n_chunks` pointers to its parts."""
    dtype = dtype or addr.dtype
    pieces = [part(Piece(0, addr.elements if elements is None else elements), n_chunks, i) for i in range(n_chunks)]
    return [Pointer(int(addr) + p.first * SIZE[dtype], (p.elements,), dtype) for p in pieces]


def ring_step(rank, step, ws):
    """Which blocks a rank passes on and takes in: (send_idx, recv_idx).

    >>> ring_step(0, 1, 4)
    (3, 2)
    """
    return (rank - step) % ws, (rank - step - 1) % ws


def tree_step(rank, ws):
    """Place of a rank in the binary tree with root 0.

    >>> tree_step(1, 4)
    TreeStep(level=1, parent=0, child_left=3, child_right=None)
    """
    def child(c):
        return c if c < ws else None
    return TreeStep((rank + 1).bit_length() - 1, (rank - 1) // 2 if rank else None, child(2 * rank + 1),
                    child(2 * rank + 2))
