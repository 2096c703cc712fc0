#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilelab::emulator {

/// An array of the call in hand.
struct ArrayOfCall {
  std::uintptr_t begin;
  std::size_t bytes;
  bool is_read;        ///< Whether it holds something before the call.
  bool is_written;     ///< Whether it holds a result after the call.
  std::string called;  ///< "in, which has"
};

/// The arrays that were named last.
const std::vector<ArrayOfCall>& arrays_of_call();

/// Describes an address that a kernel may not use, by the device allocation next to it, or by the
/// array that was passed in that.
void describe_place(const void* address, char* text, std::size_t size);

}  // namespace tilelab::emulator
