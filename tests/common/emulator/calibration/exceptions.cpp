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
      {"lab_nbody_07_bare_root_nbody_step", "global load instructions", switched_off},
      {"lab_nearest_neighbor_solution_nearest_neighbor", "global load instructions", switched_off},
      {"lab_nearest_neighbor_baseline_nearest_neighbor", "global load instructions", skips_itself},
      {"lab_nearest_neighbor_baseline_nearest_neighbor", "global load requests", skips_itself},
      {"lab_nearest_neighbor_baseline_nearest_neighbor", "global load sectors", skips_itself},
      {"reduce_block", "shared load instructions", switched_off},
      {"reduce_block", "shared store instructions", switched_off},
  };
  return all;
}

namespace {

/// Counts of several cases that the GPU does not have, or has in another form.
struct Rule {
  std::string prefix;  ///< Of the cases.
  std::string metric;  ///< What the metrics have in their names.
  std::string reason;
};

const std::vector<Rule>& rules() {
  static const std::string apart =
      "how the GPU counts copies from or to places that are apart is not understood";
  static const std::vector<Rule> all = {
      {"copy_", "shared load instructions",
       "the GPU counts the instructions that end and await a batch of copies as shared loads"},
      {"copy_", "shared store wavefronts", "the GPU has no such counter for copies"},
      {"copy_", "bank conflicts", apart},
      {"copy_float4_", "global load sectors", apart},
      {"registers_products_2", "shared load",
       "the emulator does not see that two words are merged"},
      {"cluster_", "wavefronts",
       "another block's shared memory is reached by sectors over a network, not by banks"},
      {"cluster_", "bank conflicts",
       "another block's shared memory is reached by sectors over a network, not by banks"},
  };
  return all;
}

}  // namespace

std::string reason_to_differ(const Case& a_case, const std::string& metric) {
  if (!a_case.differs.empty()) return a_case.differs;
  for (const Rule& each : rules()) {
    if (a_case.name.rfind(each.prefix, 0) == 0 && metric.find(each.metric) != std::string::npos) {
      return each.reason;
    }
  }
  for (const Exception& each : exceptions()) {
    if (each.case_name == a_case.name && each.metric == metric) return each.reason;
  }
  return "";
}

}  // namespace tilelab::calibration
