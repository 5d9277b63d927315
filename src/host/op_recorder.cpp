#include "host/op_recorder.h"

namespace tutti::host {

using oplog::Op;
using oplog::OpName;

OpRecorder::OpRecorder(device::Machine& machine, std::uint32_t n_slots)
    : machine_(machine), n_slots_(n_slots), sends_(static_cast<std::size_t>(machine.size())) {}

void OpRecorder::send_issued(const device::SendRecord& r, Time t) {
  send_of(r.message) = log_.add(Op{.name = OpName::send,
                                   .port = static_cast<std::uint8_t>(r.port),
                                   .rank = static_cast<std::uint32_t>(r.pe),
                                   .destination = r.slot,
                                   .source = r.source,
                                   .size = r.bytes,
                                   .sequence = r.message.sequence,
                                   .start = t,
                                   .end = t});
}

void OpRecorder::received(const device::ReceiveRecord& r, Time t) {
  bytes_.resize(r.bytes);
  machine_.memory().read(r.slot, bytes_);
  log_.add(Op{.name = OpName::recv,
              .port = static_cast<std::uint8_t>(r.message.port),
              .rank = static_cast<std::uint32_t>(r.message.pe),
              .cause = send_of(r.message),
              .source = r.slot,
              .size = r.bytes,
              .sequence = r.message.sequence,
              .hash = oplog::hash_of(bytes_),
              .start = t,
              .end = t});
}

void OpRecorder::released(const device::MessageKey& key, Time t) {
  log_.add(Op{.name = OpName::release,
              .port = static_cast<std::uint8_t>(key.port),
              .rank = static_cast<std::uint32_t>(key.pe),
              .sequence = key.sequence,
              .start = t,
              .end = t});
}

void OpRecorder::reduced(const device::ReduceRecord& r, Time begin, Time end) {
  log_.add(Op{.name = OpName::reduce,
              .dtype = r.dtype,
              .reduce = r.op,
              .rank = static_cast<std::uint32_t>(r.pe),
              .destination = r.accumulator,
              .source = r.operand,
              .size = static_cast<std::uint64_t>(r.elements),
              .start = begin,
              .end = end});
}

// Its operands are its own from here until it is waited for, so that any moment between gives the same bytes.
void OpRecorder::gemm_started(const device::GemmRecord& r, std::uint64_t, Time t) {
  log_.add(Op{.name = OpName::gemm,
              .dtype = r.dtype,
              .rank = static_cast<std::uint32_t>(r.pe),
              .destination = r.c,
              .size = static_cast<std::uint64_t>(r.m * r.n * memory::size_of(r.dtype)),
              .start = t,
              .end = t},
           {r.a, r.b, r.m, r.n, r.k, r.accumulate});
}

void OpRecorder::copied(const device::CopyRecord& r, Time begin, Time end) {
  log_.add(Op{.name = OpName::copy,
              .rank = static_cast<std::uint32_t>(r.pe),
              .destination = r.destination,
              .source = r.source,
              .size = r.bytes,
              .start = begin,
              .end = end});
}

}  // namespace tutti::host
