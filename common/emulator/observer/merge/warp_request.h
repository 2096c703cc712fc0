#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "emulator/observer/event.h"

namespace tilelab::emulator {

/// One instruction of a warp: the lanes that run it together, and their addresses.
struct WarpAccess {
  Code code;
  std::uint32_t lanes;
  unsigned count;  ///< of lanes

  /// If regular, the i-th active lane's address is first + i * stride, and `addresses` is empty.
  bool is_regular;
  std::uint32_t first;
  std::uint32_t stride;
  std::array<std::uint32_t, 32> addresses;

  std::uint32_t address(unsigned i) const { return is_regular ? first + i * stride : addresses[i]; }
  unsigned bytes() const { return bytes_of(code); }
};

/// Takes what the lanes of a warp did together, in each lane's own order.
class WarpAccessSink {
 public:
  virtual void take(const WarpAccess& access) = 0;
  /// The lanes met at a warp operation; `id` is the mark that they carry.
  virtual void take_mark(std::uint32_t id, std::uint32_t lanes) = 0;

 protected:
  ~WarpAccessSink() = default;
};

}  // namespace tilelab::emulator
