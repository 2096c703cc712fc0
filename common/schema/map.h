#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilelab::schema {

/// Members of an object whose names are data, in their order.
template <class T>
using Map = std::vector<std::pair<std::string, T>>;

}  // namespace tilelab::schema
