#pragma once

#include <functional>
#include <vector>

#include "contract/order.h"

namespace tilelab::judge {

/// Tries versions of a submission that were compiled into one worker, which the request's `version`
/// chooses from: 0 is the submission as it is, and options().versions says how many others there
/// are. They are tried at one call only, the quickest of those where version 0 fails.
/// Writes the event "version" for each that passes what a test checks up to its next call.
/// @param run_tests  runs the chosen tests, and returns their exit status
void try_versions(const std::function<int()>& run_tests);

/// Has to come before each call of the submission. Does nothing unless versions are tried.
void before_call();

/// Those of the orders of a call that are needed here.
std::vector<Order> orders_in_use(const std::vector<Order>& orders);

}  // namespace tilelab::judge
