"""Tutti: collective communication inside and between AI machines, simulated. Kernels and hosts as in ADR-0023.

    import tutti

    def run_rank(rank, world_size, torch):
        torch.distributed.init_process_group(backend="ahbm", world_size=world_size, rank=rank)
        tensor = torch.zeros((64, 32), dtype="f16")
        from tutti.ccl.algorithms import ring_allreduce
        torch.launch("ring_allreduce", ring_allreduce.kernel, tensor, rank, world_size)

    result = tutti.run(run_rank, set=["profile=tiny"])
    print(result.makespan_ns)
"""
from _tutti import (ConfigError, DeadlockError, Error, InternalError, ModelError, ViolationError, __version__)

from . import ccl
from .host import DPPolicy, HostRank, Result, Tensor, Torch, replicate, row_wise, column_wise, run, tiled

__all__ = ["ConfigError", "DPPolicy", "DeadlockError", "Error", "HostRank", "InternalError", "ModelError", "Result",
           "Tensor", "Torch", "ViolationError", "__version__", "ccl", "column_wise", "replicate", "row_wise", "run",
           "tiled"]
