#include "snippet.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "estimator/code/disassembly.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

constexpr std::uint64_t inputs_at = 0x1000;

std::string address(std::size_t row) {
  std::ostringstream text;
  text << "[R200+0x" << std::hex << inputs_at + 128 * row << "]";
  return text.str();
}

}  // namespace

Function function_of(const std::vector<std::string>& lines) {
  std::stringstream text;
  text << "\t.section\t.text.snippet,\"ax\",@progbits\n";
  for (const std::string& line : lines) {
    if (line.ends_with(":")) {
      text << line << '\n';
    } else {
      text << "  /*0000*/ " << line << " ; /* 0x0000000000000000 */\n /* 0x000fc00000000000 */\n";
    }
  }
  return read_disassembly(text).at(0);
}

Lanes numbers(unsigned seed) {
  Lanes made = lanes_of([&](std::uint32_t i) { return (i * 2654435761U + seed) * 2246822519U; });
  made[3] = 0;
  made[7] = 1;
  made[11] = 0xffffffff;
  made[13] = 0x80000000;
  made[17] = 0x7fffffff;
  made[19] = seed % 40;
  return made;
}

Lanes result_of(const Lines& lines, const std::vector<Lanes>& inputs) {
  std::vector<std::string> all{"S2R R200, SR_LANEID", "IMAD.SHL.U32 R200, R200, 0x4, RZ"};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    all.push_back("LDS R" + std::to_string(i + 1) + ", " + address(i + 1));
  }
  all.insert(all.end(), lines.begin(), lines.end());
  all.push_back("STS " + address(0) + ", R0");
  all.emplace_back("EXIT");

  const Function function = function_of(all);
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  Memory global({});
  BlockState block{function, launch, global, SharedMemory(0x4000), {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      block.shared.store(inputs_at + 128 * (i + 1) + 4 * lane, inputs[i][lane], 4);
    }
  }
  Warp warp(block, 0);
  while (!warp.has_ended()) warp.run(10'000, 10'000);
  return lanes_of([&](std::uint32_t i) { return block.shared.load(inputs_at + 4 * i, 4); });
}

WideLanes wide_result_of(const Lines& lines, const std::vector<Lanes>& inputs) {
  const auto word = [&](const char* move) {
    Lines all = lines;
    all.push_back(move);
    return result_of(all, inputs);
  };
  const Lanes low = word("MOV R0, R10"), high = word("MOV R0, R11");
  WideLanes made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = low[i] | std::uint64_t{high[i]} << 32U;
  return made;
}

BlockTrace traces_of(const Function& function, std::uint32_t threads, Memory& memory,
                     std::vector<std::uint8_t> parameters, const Limits& limits) {
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters = std::move(parameters);
  const Kernel kernel{32, 16384};
  return execute_block({function, launch, kernel, memory}, 0, limits);
}

Function kernel_in_file(const std::string& name) {
  std::ifstream file(KERNELS_FOLDER "/" + name + ".sass");
  if (!file) throw std::runtime_error("there is no kernels/" + name + ".sass");
  return read_disassembly(file).at(0);
}

}  // namespace tilelab::estimator
