#pragma once

#include <cerrno>
#include <system_error>

namespace tilelab::judge {

/// Throws what errno says about a call of the system.
[[noreturn]] inline void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace tilelab::judge
