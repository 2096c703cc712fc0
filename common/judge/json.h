#pragma once

#include "report/json/json.h"

/// The judge writes JSON as a report does.
namespace tilelab::judge {

using report::JsonObject;
using report::objects_of;
using report::to_json;

}  // namespace tilelab::judge
