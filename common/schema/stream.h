#pragma once

#include <cstdint>
#include <string_view>

#include "schema/fields.h"

/// What all streams have. A stream is text, an event on each line, as JSON. Whoever reads one
/// refuses another version.
///
/// | stream                | events         | writes it          | reads it          |
/// | --------------------- | -------------- | ------------------ | ----------------- |
/// | what a judge found    | judgment.h     | a judge            | the package       |
/// | a program's report    | program.h      | describe_report    | the package       |
/// | a recording           | recording.h    | a recorded program | the package       |
/// | a job                 | estimate.h     | the package        | the estimator     |
/// | stored results        | estimated_call.h | the package      | a judge           |
/// | estimates             | estimate.h     | the estimator      | the package       |
/// | a calibration         | estimate.h     | microbenchmarks    | the package       |
///
/// The package has the same records in grading/tilelab/model, and a test compares them.
namespace tilelab::schema {

/// The version of all records together. Change it with them.
inline constexpr std::uint64_t current_version = 1;

/// The first line of every stream.
struct Begin {
  static constexpr std::string_view event = "begin";
  std::uint64_t version = current_version;
};
TILELAB_FIELDS(Begin, version)

/// The last line of a stream whose end could be missing.
struct End {
  static constexpr std::string_view event = "end";
};
TILELAB_FIELDS(End)

}  // namespace tilelab::schema
