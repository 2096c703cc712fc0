#include "exceptions.h"

namespace tilelab::calibration {

const std::vector<Exception>& exceptions() {
  static const std::string switched_off =
      "nvcc issues the instruction for warps of which no lane takes part, too; the GPU counts such "
      "instructions, but neither requests nor wavefronts";
  static const std::string skips_itself =
      "the compilers turn the pass that leaves out the thread's own point differently: on the GPU "
      "lanes in different passes meet in one instruction";
  static const std::vector<Exception> all = {
      {"lab_diff_baseline_diff", "global load instructions", switched_off},
      {"lab_nbody_solution_nbody_step", "global load instructions", switched_off},
      {"lab_nearest_neighbor_solution_nearest_neighbor", "global load instructions", switched_off},
      {"lab_nearest_neighbor_baseline_nearest_neighbor", "global load instructions", skips_itself},
      {"lab_nearest_neighbor_baseline_nearest_neighbor", "global load requests", skips_itself},
      {"lab_nearest_neighbor_baseline_nearest_neighbor", "global load sectors", skips_itself},
      {"reduce_block", "shared load instructions", switched_off},
      {"reduce_block", "shared store instructions", switched_off},
  };
  return all;
}

std::string reason_to_differ(const Case& a_case, const std::string& metric) {
  if (!a_case.differs.empty()) return a_case.differs;
  for (const Exception& each : exceptions()) {
    if (each.case_name == a_case.name && each.metric == metric) return each.reason;
  }
  return "";
}

}  // namespace tilelab::calibration
