#pragma once

#include <string>

#include "schema/fields.h"

namespace tilelab::schema {

/// A line of the submission, for a message to point at.
struct Place {
  unsigned line = 0;  ///< The number of the line.
  std::string word;   ///< The message is about this word of it; "" if about the whole line.
  std::string says;   ///< What happens there.
};
TILELAB_FIELDS(Place, line, word, says)

}  // namespace tilelab::schema
