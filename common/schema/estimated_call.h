#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/fields.h"
#include "schema/recording.h"
#include "schema/stream.h"

/// What a judge is asked about a call at the size whose time is estimated.
namespace tilelab::schema {

/// The call. Its arguments follow in their order, then what some blocks stored, or what all left.
struct EstimatedCall {
  static constexpr std::string_view event = "estimated_call";
  std::string function;
};
TILELAB_FIELDS(EstimatedCall, function)

/// An argument that is no array: a number, or those of a struct.
struct Scalar {
  static constexpr std::string_view event = "scalar";
  std::vector<double> numbers;
};
TILELAB_FIELDS(Scalar, numbers)

/// All events about such a call.
using StoredResults = std::variant<Begin, EstimatedCall, Salt, Array, Scalar, Stored, Left, End>;

}  // namespace tilelab::schema
