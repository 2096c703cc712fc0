#include "emulator/runtime/faults/signals.h"

#include <signal.h>
#include <ucontext.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/faults/aarch64.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_arrays.h"
#include "emulator/runtime/memory/places.h"

namespace tilelab::emulator {
namespace {

constexpr std::array handled_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

struct sigaction previous_actions[NSIG];
// What a program found until then is put together there.
alignas(16) char handler_stack[1024 * 1024];

/// "reads" or "writes"
const char* access_verb(const siginfo_t& info, const void* context) {
  const auto* machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  static_cast<void>(info);
  constexpr greg_t write_bit = 2;
  const bool writes = (machine->gregs[REG_ERR] & write_bit) != 0;
#else
  // A call of an address that is not mapped reads an instruction there.
  const auto* place = reinterpret_cast<const void*>(machine->pc);
  std::uint32_t instruction;
  if (place == info.si_addr) return "reads";
  std::memcpy(&instruction, place, sizeof instruction);
  const bool writes = writes_memory(instruction);
#endif
  return writes ? "writes" : "reads";
}

[[noreturn]] void explain_kernel_fault(Scheduler& scheduler, const siginfo_t& info,
                                       const void* context) {
  const void* address = info.si_addr;
  char sentence[256];
  if (in_guard(scheduler.running_fiber(), address)) {
    std::snprintf(sentence, sizeof sentence,
                  "stack overflow: its local variables and calls need more than %zu KiB",
                  fiber_stack_bytes / 1024);
    scheduler.fault(cudaErrorHardwareStackError, sentence);
  }
  // x86-64 gives no address for a misaligned vector access, nor for one outside the 48-bit range.
  if (info.si_code == SI_KERNEL) {
    scheduler.fault(cudaErrorMisalignedAddress, "accesses a misaligned or invalid address");
  }
  char place[128];
  describe_place(address, place, sizeof place);
  std::snprintf(sentence, sizeof sentence, "%s address %p, %s", access_verb(info, context), address,
                place);
  scheduler.fault(cudaErrorIllegalAddress, sentence);
}

void hand_on(int signal) {
  // The instruction runs again, and the handler that was there before ours gets the signal.
  sigaction(signal, &previous_actions[signal], nullptr);
}

/// Ends the program with a sentence if host code uses memory of the device or of a lab's test.
void explain_host_fault(const siginfo_t& info, void* context) {
  if (DeviceMemory::instance().is_behind_host_block(info.si_addr)) {
    const auto block = DeviceMemory::instance().block_below(info.si_addr);
    fatal("host code %s memory that was freed, or that lies %zd bytes past the end of an array",
          access_verb(info, context), block->offset - static_cast<std::ptrdiff_t>(block->size));
  }
  if (DeviceMemory::instance().contains(info.si_addr) &&
      !DeviceMemory::instance().is_allocated(info.si_addr, 1)) {
    fatal("host code %s memory that was freed, or that no array of the device has",
          access_verb(info, context));
  }
  if (DeviceMemory::instance().contains(info.si_addr)) {
    fatal(
        "host code %s memory through a device pointer: copy the data with cudaMemcpy(), or do the "
        "work in a kernel",
        access_verb(info, context));
  }
  if (HostArrays::instance().contains(info.si_addr)) {
    fatal(
        "host code %s an element of an array that it was given. The work belongs in a kernel, so "
        "pass the array to cudaMemcpy() and leave its elements to the device",
        access_verb(info, context));
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  Scheduler* scheduler = Scheduler::running();
  const bool is_memory = signal == SIGSEGV || signal == SIGBUS;
  if (scheduler != nullptr && is_memory) explain_kernel_fault(*scheduler, *info, context);
  if (scheduler != nullptr && signal == SIGFPE) {
    scheduler->fault(cudaErrorLaunchFailure,
                     "divides an integer by zero (on a GPU the result is arbitrary)");
  }
  if (scheduler != nullptr && signal == SIGILL) {
    scheduler->fault(cudaErrorIllegalInstruction,
                     "runs into the end of a function that should have returned a value, or into "
                     "__builtin_trap()");
  }
  // On AArch64 the compilers end all of these with the same instruction.
  if (scheduler != nullptr && signal == SIGTRAP) {
    scheduler->fault(cudaErrorLaunchFailure,
                     "divides an integer by zero (on a GPU the result is arbitrary), or runs into "
                     "the end of a function that should have returned a value, or into "
                     "__builtin_trap()");
  }
  // Host code may have overwritten what this looks at.
  static volatile std::sig_atomic_t is_looking = 0;
  if (is_memory && is_looking == 0) {
    is_looking = 1;
    explain_host_fault(*info, context);
    is_looking = 0;
  }
  hand_on(signal);
}

void install(int signal) {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  // The signal is not blocked inside its handler, so that the handler may leave by switching
  // stacks.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  struct sigaction previous;
  sigaction(signal, &action, &previous);
  if (previous.sa_sigaction != on_signal) previous_actions[signal] = previous;
}

}  // namespace

void install_signal_handlers() {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  for (const int signal : handled_signals) install(signal);
}

}  // namespace tilelab::emulator
