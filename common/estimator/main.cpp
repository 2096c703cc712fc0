// Estimates how long launches take on a GPU.
//
//     estimator GPU CODE LAUNCHES
//
// GPU has lines of a name and a number. CODE is what `nvdisasm -c -hex` prints. LAUNCHES has lines
//     array ADDRESS BYTES CONTENTS
//     kernel NAME REGISTERS SHARED_BYTES
//     launch NAME GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z DYNAMIC_SHARED_BYTES PARAMETERS
// with addresses and parameters in hexadecimal. Prints one line of JSON for each launch.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include "estimator/disassembly.h"
#include "estimator/gpu.h"
#include "estimator/memory.h"
#include "estimator/multiprocessor.h"
#include "estimator/warp.h"

namespace {

using namespace tilelab::estimator;

struct Kernel {
  double registers = 32;
  double shared_bytes = 0;
};

struct Job {
  std::vector<Array> arrays;
  std::map<std::string, Kernel> kernels;
  std::vector<Launch> launches;
};

Job read_job(std::istream& in) {
  Job job;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "array") {
      Array made;
      std::string contents;
      words >> std::hex >> made.address >> std::dec >> made.bytes >> contents;
      made.contents = contents == "bits" ? Contents::bits : contents == "zeros" ? Contents::zeros : Contents::fractions;
      job.arrays.push_back(made);
    } else if (what == "kernel") {
      std::string name;
      Kernel made;
      words >> name >> made.registers >> made.shared_bytes;
      job.kernels[name] = made;
    } else if (what == "launch") {
      Launch made;
      std::string digits;
      words >> made.kernel;
      for (auto& it : made.grid) words >> it;
      for (auto& it : made.block) words >> it;
      words >> made.dynamic_shared_bytes >> digits;
      for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        made.parameters.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
      }
      job.launches.push_back(made);
    }
  }
  return job;
}

/// How many blocks of a launch a multiprocessor holds at once.
int resident_blocks(const Launch& launch, const Kernel& kernel, const Gpu& gpu) {
  const double warps = launch.warps();
  const double registers = std::ceil(kernel.registers * 32 / 256) * 256;
  const double by_registers = std::floor(std::floor(gpu.registers / 4 / registers) * 4 / warps);
  const double shared = std::ceil((kernel.shared_bytes + static_cast<double>(launch.dynamic_shared_bytes)) / 128) * 128 + gpu.shared_reserved;
  const double by_shared = std::floor(gpu.shared_bytes / shared);
  return static_cast<int>(std::max(1.0, std::min({gpu.blocks, std::floor(gpu.warps / warps), by_registers, by_shared})));
}

double l1_bytes(const Launch& launch, const Kernel& kernel, const Gpu& gpu, int resident) {
  const double wanted = resident * (kernel.shared_bytes + static_cast<double>(launch.dynamic_shared_bytes) + gpu.shared_reserved);
  for (const double kib : {8, 16, 32, 64, 100, 132, 164, 196, 228}) {
    if (wanted <= kib * 1024) return gpu.l1_bytes - kib * 1024;
  }
  return gpu.l1_bytes - 228 * 1024;
}

/// Executes a block. The trace of each warp keeps so many steps.
BlockTrace execute(const Function& function, const Launch& launch, const Kernel& kernel, Memory& global,
                   std::uint64_t number, std::uint64_t most_steps, std::uint64_t kept, bool runs_all = false) {
  BlockState state{function, launch, global, {}, {}};
  state.block[0] = static_cast<std::uint32_t>(number % launch.grid[0]);
  state.block[1] = static_cast<std::uint32_t>(number / launch.grid[0] % launch.grid[1]);
  state.block[2] = static_cast<std::uint32_t>(number / launch.grid[0] / launch.grid[1]);
  state.shared.resize(0x400 + static_cast<std::size_t>(kernel.shared_bytes) + launch.dynamic_shared_bytes);
  std::vector<Warp> warps;
  warps.reserve(launch.warps());
  for (std::uint32_t first = 0; first < launch.threads(); first += 32) warps.emplace_back(state, first);
  const auto run_all = [&warps, kept](std::uint64_t steps) {
    for (bool runs = true; runs;) {
      runs = false;
      for (Warp& it : warps) {
        it.run(steps, kept);
        runs |= !it.has_ended() && it.trace.executed < steps;
      }
    }
  };
  run_all(std::min(most_steps, kept));
  const bool depends = std::ranges::any_of(warps, [](const Warp& it) { return it.trace.guessed > 0; });
  if (depends && global.all_is_unknown) {
    global.all_is_unknown = false;
    return execute(function, launch, kernel, global, number, most_steps, kept, true);
  }
  global.all_is_unknown = false;
  if (runs_all) {
    run_all(most_steps);
  } else {
    // What is not kept is only counted, and where it does not depend on data, one warp tells for all.
    Warp& last = warps.back();
    while (!last.has_ended() && last.trace.executed < most_steps) last.run(most_steps, kept);
    for (Warp& it : warps) {
      if (!it.has_ended()) it.trace.executed = std::max(it.trace.executed, last.trace.executed);
    }
  }
  BlockTrace made;
  for (Warp& it : warps) made.push_back(std::move(it.trace));
  return made;
}

std::uint64_t executed(const BlockTrace& block) {
  std::uint64_t sum = 0;
  for (const Trace& it : block) sum += it.executed;
  return sum;
}

std::uint64_t kept_steps(const BlockTrace& block) {
  std::uint64_t sum = 0;
  for (const Trace& it : block) sum += it.steps.size();
  return sum;
}

using Sectors = std::unordered_map<std::uint64_t, std::uint8_t>;

void add_sectors(Sectors& into, const BlockTrace& block) {
  for (const Trace& trace : block) {
    for (const Line& line : trace.lines) into[line.number] |= line.sectors;
  }
}

/// Marks the lines of blocks that an earlier neighbor touches too. Only the first block's neighbors
/// are executed; blocks with as many lines are taken to be like it.
void mark_shared(std::vector<BlockTrace>& blocks, const Sectors& earlier) {
  BlockTrace& first = blocks[0];
  for (Trace& trace : first) {
    for (Line& line : trace.lines) {
      const auto found = earlier.find(line.number);
      line.is_shared = found != earlier.end() && (found->second & line.sectors) == line.sectors;
    }
  }
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    for (std::size_t w = 0; w < blocks[b].size(); ++w) {
      auto& lines = blocks[b][w].lines;
      if (lines.size() != first[w].lines.size()) continue;
      for (std::size_t i = 0; i < lines.size(); ++i) lines[i].is_shared = first[w].lines[i].is_shared;
    }
  }
}

/// From how many sectors blocks touch, whether others touch them too.
Misses misses_of(const std::vector<BlockTrace>& blocks, const Launch& launch, const Memory& memory,
                 double share_kept, const std::set<int>& warm) {
  std::map<int, double> sectors;
  std::map<int, double> shared;
  for (const BlockTrace& block : blocks) {
    std::unordered_map<std::uint64_t, std::pair<std::uint8_t, bool>> seen;
    for (const Trace& trace : block) {
      for (const Line& line : trace.lines) {
        auto& it = seen[line.number];
        it.first |= line.sectors;
        it.second |= line.is_shared;
      }
    }
    for (const auto& [line, touched] : seen) {
      const int at = memory.array_at(line * 128);
      sectors[at] += std::popcount(touched.first);
      if (touched.second) shared[at] += std::popcount(touched.first);
    }
  }
  Misses made;
  for (const auto& [at, count] : sectors) {
    if (at < 0) continue;
    const Array& array = memory.arrays()[static_cast<std::size_t>(at)];
    const double all = count / static_cast<double>(blocks.size()) * static_cast<double>(launch.blocks()) / share_kept;
    const double share = warm.contains(at) ? 0 : std::min(1.0, static_cast<double>(array.bytes) / 32 / all);
    const double apart = 1 - shared[at] / count;
    const double of_apart = apart > 0 ? std::min(1.0, share / apart) : 1;
    const double of_shared = apart < 1 ? std::max(0.0, share - apart) / (1 - apart) : 1;
    made.ranges.push_back({array.address / 128, (array.address + array.bytes + 127) / 128, of_apart, of_shared, array.bytes});
  }
  return made;
}

constexpr std::uint64_t most_kept = 600'000;

void estimate(const Function& function, const Launch& launch, const Kernel& kernel, Memory& memory, const Gpu& gpu,
              std::set<int>& warm) {
  const int resident = resident_blocks(launch, kernel, gpu);
  const double blocks = static_cast<double>(launch.blocks());
  const double neighbors = std::min(gpu.multiprocessors, blocks);
  const double per_sm = std::ceil(blocks / gpu.multiprocessors);
  const auto first = static_cast<std::uint64_t>(blocks * 0.5);
  const std::uint64_t cap = 400'000'000;

  const std::uint64_t room = most_kept / static_cast<std::uint64_t>(std::min<double>(resident, per_sm)) / launch.warps();
  std::vector<BlockTrace> traces;
  memory.all_is_unknown = true;
  traces.push_back(execute(function, launch, kernel, memory, first, cap, std::max<std::uint64_t>(room, 500)));
  const double whole = static_cast<double>(executed(traces[0]));
  const double kept = static_cast<double>(kept_steps(traces[0]));
  const bool is_cut = kept < whole;
  double wanted = std::min(per_sm, static_cast<double>(resident));
  if (!is_cut) {
    const double fits = std::floor(static_cast<double>(most_kept) / whole);
    wanted = std::min(per_sm, std::max(wanted, std::min(fits, std::max(4.0 * resident, 16.0))));
    if (wanted > resident && wanted < per_sm) wanted = std::floor(wanted / resident) * resident;
  }
  double sum = whole;
  for (int i = 1; i < wanted; ++i) {
    const auto number = (first + static_cast<std::uint64_t>(std::floor(i * blocks / wanted))) % launch.blocks();
    traces.push_back(execute(function, launch, kernel, memory, number, is_cut ? std::max<std::uint64_t>(room, 500) : cap,
                             std::max<std::uint64_t>(room, 500)));
    sum += static_cast<double>(executed(traces.back()));
  }
  if (!is_cut) {
    Sectors earlier;
    const std::uint64_t row = launch.grid[0];
    for (const std::uint64_t back : {std::uint64_t{1}, row, row * launch.grid[1]}) {
      if (back > first || (back == row && row == 1)) continue;
      add_sectors(earlier, execute(function, launch, kernel, memory, first - back, cap, std::max<std::uint64_t>(room, 500)));
    }
    mark_shared(traces, earlier);
  }
  // How much what was left out differs from the second half of what was kept.
  double unlike = 0;
  if (is_cut) {
    std::vector<double> now(function.code.size()), later(function.code.size());
    double all_now = 0, all_later = 0;
    for (const Trace& trace : traces[0]) {
      for (std::size_t i = trace.steps.size() / 2; i < trace.steps.size(); ++i) ++now[static_cast<std::size_t>(trace.steps[i].instruction)], ++all_now;
      for (std::size_t i = 0; i < trace.later.size(); ++i) later[i] += trace.later[i], all_later += trace.later[i];
    }
    for (std::size_t i = 0; i < now.size(); ++i) unlike += std::abs(now[i] / all_now - later[i] / all_later) / 2;
    unlike *= all_later / (2 * all_now + all_later);
  }
  std::uint64_t guessed = 0, branches = 0;
  for (const BlockTrace& block : traces)
    for (const Trace& trace : block) {
      guessed += trace.guessed;
      for (const Step& step : trace.steps) branches += function.code[static_cast<std::size_t>(step.instruction)].pipe == Pipe::cbu;
    }
  const Misses misses = misses_of(traces, launch, memory, is_cut ? kept / whole : 1, warm);
  const double l1 = l1_bytes(launch, kernel, gpu, resident);
  const Timing timing = time_blocks(function, traces, resident, gpu, l1, misses, neighbors);
  double cycles = timing.cycles;
  double factor = 1;
  if (is_cut) {
    factor = whole / kept;
    cycles += 2 * (timing.cycles - timing.half_cycles) * (factor - 1);
    cycles *= std::max(1.0, per_sm / resident);
    factor *= std::max(1.0, per_sm / resident);
  } else if (wanted < per_sm) {
    const bool has_waves = wanted > resident;
    const double since = has_waves ? timing.ends[static_cast<std::size_t>(resident) - 1] : 0;
    const double rate = std::max({(timing.cycles - since) / (has_waves ? wanted - resident : wanted),
                                  timing.dram_busy / wanted, timing.l2_busy / wanted});
    cycles += (per_sm - wanted) * rate;
    factor = per_sm / wanted;
  }
  for (std::size_t i = 0; i < memory.arrays().size(); ++i) {
    if (memory.arrays()[i].bytes < gpu.l2_bytes / 2) {
      for (const BlockTrace& block : traces)
        for (const Trace& trace : block)
          for (const Step& step : trace.steps) {
            const Operation op = function.code[static_cast<std::size_t>(step.instruction)].operation;
            if ((op == Operation::STG || op == Operation::REDG || op == Operation::ATOMG) && step.lines > 0 &&
                memory.array_at(trace.lines[step.first_line].number * 128) == static_cast<int>(i)) {
              warm.insert(static_cast<int>(i));
              memory.set_computed(static_cast<int>(i));
            }
          }
    }
  }
  double pipes_count[10] = {};
  std::map<std::string, double> extra;
  const double scale = (is_cut ? whole / kept : 1) * blocks / static_cast<double>(traces.size());
  for (const BlockTrace& block : traces)
    for (const Trace& trace : block)
      for (const Step& step : trace.steps) {
        const Instruction& one = function.code[static_cast<std::size_t>(step.instruction)];
        pipes_count[static_cast<int>(one.pipe)] += scale;
        if (one.operation == Operation::LDG && step.lanes) {
          extra["ld_requests"] += scale;
          for (std::size_t i = 0; i < step.lines; ++i) extra["ld_sectors"] += scale * std::popcount(trace.lines[step.first_line + i].sectors);
        }
        if (one.operation == Operation::STG)
          for (std::size_t i = 0; i < step.lines; ++i) extra["st_sectors"] += scale * std::popcount(trace.lines[step.first_line + i].sectors);
        if (one.operation == Operation::LDS || one.operation == Operation::STS) extra["shared_passes"] += scale * step.passes;
      }
  const double seconds = cycles / (gpu.gigahertz * 1e9);
  std::printf("{\"kernel\": \"%s\", \"ms\": %.6g, \"cycles\": %.6g, \"resident\": %d, \"per_sm\": %g, \"simulated\": %zu, \"cut\": %d, \"instructions\": %.8g",
              launch.kernel.c_str(), seconds * 1e3, cycles, resident, per_sm, traces.size(), is_cut ? 1 : 0,
              is_cut ? whole * blocks : sum / static_cast<double>(traces.size()) * blocks);
  std::printf(", \"unlike\": %.3g", unlike);
  std::printf(", \"guessed\": %.4g", static_cast<double>(guessed) / static_cast<double>(branches));
  std::printf(", \"sim_cycles\": %.6g, \"ipc\": %.4g, \"l1\": %.4g, \"l2\": %.4g, \"dram\": %.4g", timing.cycles, timing.issued / timing.cycles,
              timing.l1_busy / timing.cycles, timing.l2_busy / timing.cycles, timing.dram_busy / timing.cycles);
  std::printf(", \"l2_sectors\": %.6g, \"dram_sectors\": %.6g", timing.l2_sectors * factor * neighbors, timing.dram_sectors * factor * neighbors);
  const char* names[] = {"selected", "not_selected", "wait", "long_scoreboard", "short_scoreboard", "math_pipe_throttle", "lg_throttle", "mio_throttle", "barrier", "dispatch_stall"};
  for (int i = 0; i < stalls; ++i) std::printf(", \"%s\": %.4g", names[i], timing.states[static_cast<std::size_t>(i)] / timing.issued);
  const char* pipe_names[] = {"fma", "fma_heavy", "alu", "xu", "lsu", "adu", "uniform", "cbu", "fp64", "other"};
  for (int i = 0; i < 10; ++i) std::printf(", \"pipe_%s\": %.8g", pipe_names[i], pipes_count[i]);
  for (const auto& [k, v] : extra) std::printf(", \"%s\": %.8g", k.c_str(), v);
  std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: estimator GPU CODE LAUNCHES\n";
    return 2;
  }
  try {
    std::ifstream gpu_file(argv[1]), code_file(argv[2]), job_file(argv[3]);
    const Gpu gpu = read_gpu(gpu_file);
    const std::vector<Function> functions = read_disassembly(code_file);
    const Job job = read_job(job_file);
    Memory memory(job.arrays);
    std::set<int> warm;
    for (const Launch& launch : job.launches) {
      const auto found = std::ranges::find(functions, launch.kernel, &Function::name);
      if (found == functions.end()) throw std::runtime_error("no machine code of " + launch.kernel);
      const auto kernel = job.kernels.find(launch.kernel);
      estimate(*found, launch, kernel == job.kernels.end() ? Kernel{} : kernel->second, memory, gpu, warm);
    }
  } catch (const std::exception& error) {
    std::printf("{\"unknown\": \"%s\"}\n", error.what());
    return 1;
  }
}
