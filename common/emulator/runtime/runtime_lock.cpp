#include "emulator/runtime/runtime_lock.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "emulator/runtime/host_thread.h"

namespace tilelab::emulator {
namespace {

/// Never destroyed: global destructors of the emulated program may still use the runtime.
std::mutex& mutex() {
  static auto* const made = new std::mutex;
  return *made;
}

std::atomic<const void*> owner = nullptr;
unsigned depth = 0;  // how many calls of the owner are running, one in the other

void begin(unsigned calls) {
  mutex().lock();
  owner = this_host_thread();
  depth = calls;
}

void end() {
  owner = nullptr;
  mutex().unlock();
}

}  // namespace

RuntimeLock::RuntimeLock() {
  if (owner == this_host_thread()) {
    ++depth;
  } else {
    begin(1);
  }
}

RuntimeLock::~RuntimeLock() {
  if (--depth == 0) end();
}

bool RuntimeLock::is_outermost() const { return depth == 1; }

RuntimeUnlock::RuntimeUnlock() : depth_(owner == this_host_thread() ? std::exchange(depth, 0) : 0) {
  if (depth_ > 0) end();
}

RuntimeUnlock::~RuntimeUnlock() {
  if (depth_ > 0) begin(depth_);
}

}  // namespace tilelab::emulator
