#pragma once

#include <cstdint>

/// Sizes above the constants in the submission's text, where it may change what it does.
namespace tilelab::judge {

/// A size that is above a constant, and so large that an index is, too.
inline int above(std::uint64_t constant) { return static_cast<int>(constant) + 2; }

/// A size up to `limit` where the count of tiles or blocks of one constant's size passes another
/// constant, or 0 if there is none. It is the largest: what a submission does above one of them, it
/// does above all.
int above_products(double limit);

}  // namespace tilelab::judge
