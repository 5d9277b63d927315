"""Writes the protobuf fields of a Chakra trace (schema 0.0.4), for the scripts that make their own."""


def varint(n):
    out = b""
    while True:
        n, low = n >> 7, n & 127
        out += bytes([low | (128 if n else 0)])
        if not n:
            return out


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def attribute(name, number, value):
    return field(10, field(1, name.encode()) + varint(number << 3) + varint(value))
