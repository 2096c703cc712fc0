#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "judge/calls/arguments.h"
#include "judge/events.h"

namespace tilelab::judge {

/// One array with its guard zones, before and after a call.
struct ArrayImages {
  const wire::Image& layout;          ///< The zones have these lengths.
  std::span<const std::byte> before;  ///< The worker got these bytes.
  std::span<const std::byte> after;   ///< The worker sent these bytes back.
};

/// What a function changed in or around an array and should not have: a guard zone, or an input.
std::optional<Message> find_violation(const Function& function, const CallArgument& argument,
                                      const ArrayImages& images);

}  // namespace tilelab::judge
