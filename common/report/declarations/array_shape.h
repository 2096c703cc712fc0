#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilelab::report {

/// The lengths of a __shared__ array, as a text declares it: {32, 33} for `tile[block][block + 1]`.
/// Empty if it is not declared, or if the text does not say how long it is, or if the array's bytes
/// are no multiple of its elements.
std::vector<std::uint64_t> array_shape(std::string_view text, std::string_view name,
                                       std::uint64_t bytes);

/// The lengths in brackets like "[32][block + 1] ...", with constants of the text. Empty if one is
/// not known.
std::vector<std::uint64_t> lengths_in(std::string_view text, std::string_view brackets);

}  // namespace tilelab::report
