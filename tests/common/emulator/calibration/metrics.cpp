#include "metrics.h"

#include <algorithm>

namespace tilelab::calibration {

using report::MemoryCounts;

std::uint64_t Metric::measured(const Measured& counts, const std::string& case_name) const {
  std::uint64_t sum = 0;
  for (const std::string& counter : counters) sum += counts.count(case_name, counter);
  if (without.empty()) return sum;
  // Loads in which no lane takes part count as instructions but not as requests, so the difference
  // may be negative.
  return sum - std::min(sum, counts.count(case_name, without));
}

#define EMULATED(count) [](const MemoryCounts& c) -> std::uint64_t { return c.count; }

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all = {
      {"global load instructions",
       {"smsp__inst_executed_op_global_ld", "smsp__inst_executed_op_ldgsts"},
       "",
       EMULATED(global_loads.instructions)},
      {"global load requests",
       {"l1tex__t_requests_pipe_lsu_mem_global_op_ld"},
       "",
       EMULATED(global_loads.requests)},
      {"global load sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld"},
       "",
       EMULATED(global_loads.sectors)},
      {"global store instructions",
       {"smsp__inst_executed_op_global_st"},
       "",
       EMULATED(global_stores.instructions)},
      {"global store requests",
       {"l1tex__t_requests_pipe_lsu_mem_global_op_st"},
       "",
       EMULATED(global_stores.requests)},
      {"global store sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_st"},
       "",
       EMULATED(global_stores.sectors)},
      // An atomic whose result is not used is a reduction, which has its own counters.
      {"global atomic requests",
       {"l1tex__t_requests_pipe_lsu_mem_global_op_red",
        "l1tex__t_requests_pipe_lsu_mem_global_op_atom"},
       "",
       EMULATED(global_atomics.requests)},
      {"global atomic sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_red",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_atom"},
       "",
       EMULATED(global_atomics.sectors)},
      {"shared load instructions",
       {"smsp__inst_executed_op_shared_ld", "l1tex__t_requests_pipe_lsu_mem_dshared_op_ld"},
       "",
       EMULATED(shared_loads.instructions),
       EMULATED(shared_loads.merged_requests)},
      {"shared load wavefronts",
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
        "l1tex__t_output_wavefronts_pipe_lsu_mem_dshared_op_ld"},
       "",
       EMULATED(shared_loads.wavefronts),
       EMULATED(shared_loads.merged_wavefronts)},
      {"shared load bank conflicts",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"},
       "",
       EMULATED(shared_loads.bank_conflicts()),
       EMULATED(shared_loads.merged_bank_conflicts())},
      {"shared store instructions",
       {"smsp__inst_executed_op_shared_st", "l1tex__t_requests_pipe_lsu_mem_dshared_op_st",
        "smsp__inst_executed_op_ldgsts"},
       "",
       EMULATED(shared_stores.instructions),
       EMULATED(shared_stores.merged_requests)},
      {"shared store wavefronts",
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
        "l1tex__t_output_wavefronts_pipe_lsu_mem_dshared_op_st"},
       "",
       EMULATED(shared_stores.wavefronts),
       EMULATED(shared_stores.merged_wavefronts)},
      {"shared store bank conflicts",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts"},
       "",
       EMULATED(shared_stores.bank_conflicts()),
       EMULATED(shared_stores.merged_bank_conflicts())},
      {"shared atomic instructions",
       {"smsp__inst_executed_op_shared_atom", "l1tex__t_requests_pipe_lsu_mem_dshared_op_atom"},
       "",
       EMULATED(shared_atomics.instructions)},
      {"shared atomic wavefronts",
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"},
       "",
       EMULATED(shared_atomics.wavefronts)},
      {"shared atomic bank conflicts",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom"},
       "",
       EMULATED(shared_atomics.bank_conflicts())},
      {"asynchronous copy instructions",
       {"smsp__inst_executed_op_ldgsts"},
       "",
       EMULATED(shared_copies.instructions)},
      {"asynchronous copy bank conflicts",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts"},
       "",
       EMULATED(shared_copies.bank_conflicts())},
      // Kernel arguments are constants too, and each takes one turn. Only further turns tell.
      {"further turns of constant loads",
       {"idc__requests"},
       "smsp__inst_executed_op_ldc",
       EMULATED(constant_loads.bank_conflicts())},
  };
  return all;
}

}  // namespace tilelab::calibration
