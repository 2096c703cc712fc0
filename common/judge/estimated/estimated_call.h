#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "schema/estimated_call.h"

namespace tilelab::judge {

/// A call at the size whose time is estimated, and what its kernels stored.
struct EstimatedCall {
  /// Bytes of memory, from an address on.
  struct Bytes {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> values;
  };

  std::string function;
  std::uint64_t salt = 0;  ///< What arrays hold at first depends on it.
  std::vector<std::variant<schema::Array, schema::Scalar>> arguments;
  std::vector<Bytes> stored;  ///< What some blocks stored. What is stored later comes later.
  std::vector<Bytes> left;    ///< Parts of what is there at the end, if all blocks ran.
};

/// Reads a stream of schema::StoredResults. Throws std::runtime_error if it is none.
EstimatedCall read_estimated_call(const std::filesystem::path& file);

}  // namespace tilelab::judge
