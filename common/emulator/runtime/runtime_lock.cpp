#include "emulator/runtime/runtime_lock.h"

#include <atomic>
#include <mutex>
#include <type_traits>
#include <utility>

#include "emulator/runtime/host_thread.h"

namespace tilelab::emulator {
namespace {

// Not on the heap, which a program may overwrite. Never destroyed: global destructors of the
// program may still use the runtime.
constinit std::mutex mutex;
static_assert(std::is_trivially_destructible_v<std::mutex>);

std::atomic<const void*> owner = nullptr;
unsigned depth = 0;  // how many calls of the owner are running, one in the other

void own(unsigned calls) {
  owner = this_host_thread();
  depth = calls;
}

void begin(unsigned calls) {
  mutex.lock();
  own(calls);
}

void end() {
  owner = nullptr;
  mutex.unlock();
}

/// A call of the owner ends.
void leave() {
  if (--depth == 0) end();
}

}  // namespace

RuntimeLock::RuntimeLock() {
  if (owner == this_host_thread()) {
    ++depth;
  } else {
    begin(1);
  }
}

RuntimeLock::~RuntimeLock() { leave(); }

bool RuntimeLock::is_outermost() const { return depth == 1; }

RuntimeTryLock::RuntimeTryLock() : is_held_(owner == this_host_thread()) {
  if (is_held_) {
    ++depth;
  } else if ((is_held_ = mutex.try_lock())) {
    own(1);
  }
}

RuntimeTryLock::~RuntimeTryLock() {
  if (is_held_) leave();
}

RuntimeUnlock::RuntimeUnlock() : depth_(owner == this_host_thread() ? std::exchange(depth, 0) : 0) {
  if (depth_ > 0) end();
}

RuntimeUnlock::~RuntimeUnlock() {
  if (depth_ > 0) begin(depth_);
}

}  // namespace tilelab::emulator
