#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/fields.h"
#include "schema/launch.h"
#include "schema/picture.h"
#include "schema/stream.h"

/// What a checked CUDA program of its own reported.
namespace tilelab::schema {

/// What is wrong, or worth a look.
struct ProgramFinding {
  std::string text;   ///< The message about it.
  bool note = false;  ///< Whether it is no mistake.
  std::vector<SourceLine> places;
};
TILELAB_FIELDS(ProgramFinding, text, note, places)

/// All that was found.
struct ProgramReport {
  static constexpr std::string_view event = "report";
  std::vector<ProgramFinding> findings;
  std::vector<Launch> launches;
};
TILELAB_FIELDS(ProgramReport, findings, launches)

/// All events of this stream.
using ProgramEvent = std::variant<Begin, ProgramReport>;

}  // namespace tilelab::schema
