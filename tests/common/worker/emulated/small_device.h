#pragma once

#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_memory.h"

/// A device that is filled in no time, and again whenever the harness frees an array. The place of
/// the last array stays free, which is too little for two.
struct SmallDevice : tilelab::emulator::Listener {
  SmallDevice() { memory().limit_capacity(std::size_t{32} << 20); }

  void memory_released(const void*, std::size_t) override { fill(); }

  static void fill() {
    while (memory().allocate(std::size_t{4} << 10) != nullptr) {
    }
  }

  static tilelab::emulator::DeviceMemory& memory() {
    return tilelab::emulator::DeviceMemory::instance();
  }
};

inline SmallDevice small_device;
inline tilelab::emulator::Listener* const small_device_listens[] = {&small_device};

/// From now on, the device is filled.
inline void fill_from_now_on() { tilelab::emulator::listeners = small_device_listens; }
