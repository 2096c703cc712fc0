#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/calls/arguments.h"

/// Figures of the reference solution that were written down, for a copy of the repository that has
/// no solutions. The file that Options::figures names has a line for each figure of each call:
///
///     diff 99000 99000 99000 loads_per_element 1.0078
///
/// The numbers after the function's name are the lengths of the arrays and the whole numbers among
/// the arguments, also those in structs.
namespace tilelab::judge {

/// Describes a call by what its traffic depends on: "diff 99000 99000 99000".
std::string sizes_of(const Function& function, const std::vector<CallArgument>& arguments);

/// The figure that was written down for this call or, if there is none, for the one most like it.
/// None if no call of this function is like it. Throws InfrastructureError if the file cannot be
/// read.
/// @param call    is what sizes_of() returned
/// @param metric  is the id of a TrafficMetric
std::optional<double> known_figure(const std::string& call, const std::string& metric);

/// Writes the event from which such a file is made.
void report_figure(const std::string& call, const std::string& metric, double value);

}  // namespace tilelab::judge
