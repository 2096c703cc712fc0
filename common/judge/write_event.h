#pragma once

#include "schema/judgment.h"

namespace tilelab::judge {

/// Writes an event to the stream that open_events() started. Tests and messages write their own.
void write_event(const schema::Judgment& event);

}  // namespace tilelab::judge
