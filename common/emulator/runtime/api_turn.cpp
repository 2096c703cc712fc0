#include "emulator/runtime/api_turn.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "emulator/runtime/host_thread.h"

namespace tilelab::emulator {
namespace {

/// Never destroyed: global destructors of the emulated program may still use the runtime.
std::mutex& turn() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

std::atomic<const void*> owner = nullptr;
unsigned depth = 0;  // how many calls of the owner are running, one in the other

void begin(unsigned calls) {
  turn().lock();
  owner = this_host_thread();
  depth = calls;
}

void end() {
  owner = nullptr;
  turn().unlock();
}

}  // namespace

ApiTurn::ApiTurn() {
  if (owner == this_host_thread()) {
    ++depth;
  } else {
    begin(1);
  }
}

ApiTurn::~ApiTurn() {
  if (--depth == 0) end();
}

OthersTurn::OthersTurn() : depth_(owner == this_host_thread() ? std::exchange(depth, 0) : 0) {
  if (depth_ > 0) end();
}

OthersTurn::~OthersTurn() {
  if (depth_ > 0) begin(depth_);
}

}  // namespace tilelab::emulator
