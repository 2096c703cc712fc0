#pragma once

#include "costs/request_cost.h"
#include "estimator/execution/lanes.h"
#include "estimator/execution/trace.h"

namespace tilelab::estimator {

/// Adds the lines and sectors of global memory that a step touches to its trace.
/// @param bytes  how many each lane accesses
void add_lines(Trace& trace, Step& step, const WideLanes& addresses, Mask active, int bytes);

/// Adds those of local memory. The words at one address of all lanes lie in a line.
/// @param warp  the number of the warp in its block
void add_local_lines(Trace& trace, Step& step, const Lanes& addresses, Mask active, int bytes,
                     std::uint32_t warp);

/// How many different words the lanes touch.
std::uint16_t count_words(const WideLanes& addresses, Mask active);

/// The passes that an access to shared memory takes.
/// @param is_increment  whether it is an atomic that adds 1 and returns nothing
std::uint16_t passes_of(const WideLanes& addresses, Mask active, int bytes, report::AccessKind kind,
                        bool is_increment = false);

}  // namespace tilelab::estimator
