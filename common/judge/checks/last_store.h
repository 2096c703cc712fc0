#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "judge/events.h"
#include "schema/place.h"

namespace tilelab::judge {

/// The line and the thread that stored a wrong element of the last call, as that call shows if it
/// is small, and made once more in a checked build. Nothing if that leaves other bytes in the
/// element, and for further wrong results of the same pattern.
/// @param array  the name of the output
/// @param begin  the first byte of the element
/// @param bytes  what is in the element
/// @param wrong  what is said of it
std::optional<schema::Place> last_store(const std::string& array, std::size_t begin,
                                        std::span<const std::byte> bytes, const Message& wrong);

}  // namespace tilelab::judge
