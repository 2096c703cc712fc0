#pragma once

#include <cstdint>
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

/// How the program ended, and how far it had come.
struct Ending {
  /// "_exit()" or "quick_exit()", "TileLab" if the emulator stopped it, "unknown" if it did not
  /// tell, "" if there is nothing to say.
  std::string by;
  std::uint64_t launches = 0;  ///< How many kernels it had launched.
  std::string during;          ///< The launch that did not end, if nothing else is known of it.
};
TILELAB_FIELDS(Ending, by, launches, during)

/// All that was found.
struct ProgramReport {
  static constexpr std::string_view event = "report";
  Ending ending;
  std::vector<ProgramFinding> findings;
  std::vector<Launch> launches;
};
TILELAB_FIELDS(ProgramReport, ending, findings, launches)

/// All events of this stream.
using ProgramEvent = std::variant<Begin, ProgramReport>;

}  // namespace tilelab::schema
