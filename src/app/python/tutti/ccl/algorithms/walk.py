"""How blocks travel around a ring and along a tree, in messages of at most a slot; as ring_walk.h and tree_walk.h."""
from ..helpers import Piece, part
from ...tl import SIZE


def ring_walk(tl, tensor, out, into, size, whole, first, steps, reduce_steps):
    """In step s a rank passes block (first - s) on and takes block (first - s - 1) in; in the first `reduce_steps` of the
    `steps` what comes in is reduced, later it replaces. A window of messages is always under way."""
    if size < 2 or whole.elements == 0:
        return
    width = SIZE[tensor.dtype]
    per_message = max(tl.slot_size(out) // width, 1)
    largest = (whole.elements + size - 1) // size
    messages = (largest + per_message - 1) // per_message
    total, window = steps * messages, min(messages, tl.n_slots(out))

    def message(block, number):
        p = part(whole, size, block)
        begin = number * per_message
        return Piece(p.first + begin, min(max(p.elements - begin, 0), per_message))
    sent = received = 0
    while received < total:
        while sent < min(received + window, total):
            p = message(first - sent // messages, sent % messages)
            if p.elements > 0:
                tl.send(dir=out, src_addr=tensor + p.first * width, nbytes=p.elements * width)
            sent += 1
        step, number = divmod(received, messages)
        p = message(first - step - 1, number)
        received += 1
        if p.elements == 0:
            continue
        mine = tensor + p.first * width
        slot = tl.recv(dir=into)
        if step < reduce_steps:
            tl.reduce("sum", tensor.dtype, mine, slot, p.elements)
        else:
            tl.copy(mine, slot, slot.nbytes)
        tl.release(slot)


def tree_walk(tl, tensor, parent, children, whole):
    """Reduces towards the root and brings the result back down, n_slots messages behind."""
    if whole.elements == 0 or (parent is None and not children):
        return
    width = SIZE[tensor.dtype]
    per_message = max(tl.slot_size(parent or children[0]) // width, 1)
    messages = (whole.elements + per_message - 1) // per_message
    lead = tl.n_slots(parent) if parent else 0
    for i in range(messages + lead):
        if i < messages:
            n = min(per_message, whole.elements - i * per_message)
            mine = tensor + (whole.first + i * per_message) * width
            for child in children:
                slot = tl.recv(dir=child)
                tl.reduce("sum", tensor.dtype, mine, slot, n)
                tl.release(slot)
            if parent:
                tl.send(dir=parent, src_addr=mine, nbytes=n * width)
        j = i - lead
        if 0 <= j < messages:
            n = min(per_message, whole.elements - j * per_message)
            mine = tensor + (whole.first + j * per_message) * width
            if parent:
                tl.recv(dir=parent, dst=mine)
            for child in children:
                tl.send(dir=child, src_addr=mine, nbytes=n * width)
