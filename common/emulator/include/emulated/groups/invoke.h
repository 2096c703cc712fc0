#pragma once

/// Work that one thread of a group does.

#include <utility>

#include "emulated/groups/partitions.h"

namespace cooperative_groups {

template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
}

/// Every thread gets what the function returned to the one that called it.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  using Result = std::remove_cvref_t<decltype(std::forward<Function>(function)(
      std::forward<Arguments>(arguments)...))>;
  static_assert(!std::is_void_v<Result>, "use invoke_one() for functions that return nothing");
  Result result{};
  if (group.thread_rank() == 0) {
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
