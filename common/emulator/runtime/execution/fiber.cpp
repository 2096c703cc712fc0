#include "emulator/runtime/execution/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

// Boost.Context does this portably, but took 2.5 times as long per barrier: it saves the
// floating-point control words, which no kernel changes, and passes a value.
extern "C" void tilelab_switch_stack(void** save_stack_pointer, void* load_stack_pointer);

#if defined(__x86_64__)
// It ends in `ret`, not in a jump: threads that wait at the same barrier come from the same calls,
// so the processor's return predictions for one thread are right for the next.
__asm__(R"(
.text
.globl tilelab_switch_stack
.hidden tilelab_switch_stack
.type tilelab_switch_stack, @function
tilelab_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tilelab_switch_stack, .-tilelab_switch_stack
)");
#elif defined(__aarch64__)
__asm__(R"(
.text
.globl tilelab_switch_stack
.hidden tilelab_switch_stack
.type tilelab_switch_stack, %function
tilelab_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size tilelab_switch_stack, .-tilelab_switch_stack
)");
#else
#error "the emulator can switch stacks on x86-64 and aarch64 only"
#endif

namespace tilelab::emulator {
namespace {

/// Builds the frame that tilelab_switch_stack() pops.
void* initial_frame(char* top, void (*entry)()) {
  auto* words = reinterpret_cast<void**>(top);
#if defined(__x86_64__)
  constexpr int saved_registers = 6;
  *--words = nullptr;  // a return address of 0 ends a debugger's backtrace
  *--words = reinterpret_cast<void*>(entry);
  for (int i = 0; i < saved_registers; ++i) *--words = nullptr;
#else
  constexpr int frame_words = 20;
  constexpr int link_register = 11;
  words -= frame_words;
  for (int i = 0; i < frame_words; ++i) words[i] = nullptr;
  words[link_register] = reinterpret_cast<void*>(entry);
#endif
  return words;
}

/// Stacks start at different cache sets. Otherwise the top frames of a block's threads would all
/// compete for the same few lines. This spreads them over a page. A stack with its guard is an odd
/// number of pages, which spreads the pages over the larger caches.
std::size_t next_stagger() {
  static std::size_t count = 0;
  return 64 * (count++ % 64);
}
static_assert((fiber_guard_bytes + fiber_stack_bytes) / 4096 % 2 == 1);

}  // namespace

constinit char* running_stack = nullptr;

Fiber make_fiber(void (*entry)()) {
  void* memory = mmap(nullptr, fiber_guard_bytes + fiber_stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, fiber_guard_bytes, PROT_NONE);
  Fiber fiber;
  fiber.stack = static_cast<char*>(memory);
  restart_fiber(fiber, entry);
  return fiber;
}

void restart_fiber(Fiber& fiber, void (*entry)()) {
  char* top = fiber.stack + fiber_guard_bytes + fiber_stack_bytes;
  fiber.stack_pointer = initial_frame(top - next_stagger(), entry);
}

void switch_fiber(Fiber& from, const Fiber& to) {
  running_stack = to.stack;
  tilelab_switch_stack(&from.stack_pointer, to.stack_pointer);
}

bool in_guard(const Fiber& fiber, const void* address) {
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - fiber.stack);
  return offset < fiber_guard_bytes;
}

}  // namespace tilelab::emulator
