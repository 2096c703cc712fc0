#pragma once

/// Kernels run on the thread of the host that launches them. Other threads of the host may go on
/// meanwhile, and none of what they do is the kernel's.
namespace tilelab::emulator {

/// Names the running thread of the host. No thread_local variable can: kernels' shared memory is in
/// the executable's thread-local storage.
[[gnu::always_inline]] inline const void* this_host_thread() {
#if defined(__x86_64__)
  const void* pointer;
  __asm__("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
#else
  return __builtin_thread_pointer();
#endif
}

}  // namespace tilelab::emulator
