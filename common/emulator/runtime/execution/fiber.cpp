#include "emulator/runtime/execution/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

// Boost.Context does this portably, but took 2.5 times as long per barrier: it saves the
// floating-point control words, which no kernel changes, and passes a value.
#if defined(__x86_64__)
// The processor predicts where a `ret` goes: to the place after the last `call` that has not
// returned yet. So threads start with a call, end with a return, and continue with a return.
// Threads that wait at the same barrier come from the same calls, so the predictions for one thread
// are right for the next. .cfi_undefined ends a debugger's backtrace.
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

.globl tilelab_start_stack
.hidden tilelab_start_stack
.type tilelab_start_stack, @function
tilelab_start_stack:
  .cfi_startproc
  .cfi_undefined rip
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  call *%rdx
  movq %rax, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
.size tilelab_start_stack, .-tilelab_start_stack
)");
#elif defined(__aarch64__)
#define TILELAB_SAVE_REGISTERS   \
  "  sub sp, sp, #160\n"         \
  "  stp x19, x20, [sp, #0]\n"   \
  "  stp x21, x22, [sp, #16]\n"  \
  "  stp x23, x24, [sp, #32]\n"  \
  "  stp x25, x26, [sp, #48]\n"  \
  "  stp x27, x28, [sp, #64]\n"  \
  "  stp x29, x30, [sp, #80]\n"  \
  "  stp d8, d9, [sp, #96]\n"    \
  "  stp d10, d11, [sp, #112]\n" \
  "  stp d12, d13, [sp, #128]\n" \
  "  stp d14, d15, [sp, #144]\n"
#define TILELAB_RESTORE_REGISTERS \
  "  ldp x19, x20, [sp, #0]\n"    \
  "  ldp x21, x22, [sp, #16]\n"   \
  "  ldp x23, x24, [sp, #32]\n"   \
  "  ldp x25, x26, [sp, #48]\n"   \
  "  ldp x27, x28, [sp, #64]\n"   \
  "  ldp x29, x30, [sp, #80]\n"   \
  "  ldp d8, d9, [sp, #96]\n"     \
  "  ldp d10, d11, [sp, #112]\n"  \
  "  ldp d12, d13, [sp, #128]\n"  \
  "  ldp d14, d15, [sp, #144]\n"  \
  "  add sp, sp, #160\n"
__asm__(
    ".text\n"
    ".globl tilelab_switch_stack\n"
    ".hidden tilelab_switch_stack\n"
    ".type tilelab_switch_stack, %function\n"
    "tilelab_switch_stack:\n" TILELAB_SAVE_REGISTERS
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  mov sp, x1\n" TILELAB_RESTORE_REGISTERS
    "  ret\n"
    ".size tilelab_switch_stack, .-tilelab_switch_stack\n"
    ".globl tilelab_start_stack\n"
    ".hidden tilelab_start_stack\n"
    ".type tilelab_start_stack, %function\n"
    "tilelab_start_stack:\n"
    "  .cfi_startproc\n"
    "  .cfi_undefined x30\n" TILELAB_SAVE_REGISTERS
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  mov sp, x1\n"
    "  mov x29, #0\n"
    "  blr x2\n"
    "  mov sp, x0\n" TILELAB_RESTORE_REGISTERS
    "  ret\n"
    "  .cfi_endproc\n"
    ".size tilelab_start_stack, .-tilelab_start_stack\n");
#else
#error "the emulator can switch stacks on x86-64 and aarch64 only"
#endif

namespace tilelab::emulator {
namespace {

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

Fiber make_fiber() {
  void* memory = mmap(nullptr, fiber_guard_bytes + fiber_stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, fiber_guard_bytes, PROT_NONE);
  Fiber fiber;
  fiber.stack = static_cast<char*>(memory);
  fiber.top = fiber.stack + fiber_guard_bytes + fiber_stack_bytes - next_stagger();
  return fiber;
}

bool in_guard(const Fiber& fiber, const void* address) {
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - fiber.stack);
  return offset < fiber_guard_bytes;
}

}  // namespace tilelab::emulator
