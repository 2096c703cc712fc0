#include "emulator/runtime/memory/host_reads.h"

#include "contract/host_reads.h"
#include "emulator/emulator.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {
namespace {

HostReads reads;

}  // namespace

void begin_call(bool may_read_back) {
  reads.begin_call(may_read_back);
  // The end of the caller's stack frame: what the caller calls next begins there.
  tell(&Listener::call_begins, __builtin_dwarf_cfa());
}

void end_call() {
  reads.end_call();
  tell(&Listener::call_ends);
}

void host_reads(std::size_t bytes) {
  if (!reads.may_read(bytes)) fatal("%s", HostReads::sentence);
}

bool host_reads_are_limited() { return reads.is_limited(); }

}  // namespace tilelab::emulator
