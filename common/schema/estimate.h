#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/fields.h"
#include "schema/launch.h"
#include "schema/map.h"
#include "schema/recording.h"
#include "schema/stream.h"

/// What the estimator reads and writes, and what is measured for it.
namespace tilelab::schema {

/// A number that says what a GPU can do, as estimator/timing/gpu.h explains it.
struct Constant {
  static constexpr std::string_view event = "constant";
  std::string name;
  double value = 0;
};
TILELAB_FIELDS(Constant, name, value)

/// The program's constants as they lie in bank 3 of constant memory, in hexadecimal digits.
struct Constants {
  static constexpr std::string_view event = "constants";
  std::string bytes;
};
TILELAB_FIELDS(Constants, bytes)

/// The table in bank 4 of constant memory that has the addresses of the program's variables, in
/// hexadecimal digits.
struct Addresses {
  static constexpr std::string_view event = "addresses";
  std::string bytes;
};
TILELAB_FIELDS(Addresses, bytes)

/// The file with the chunks of images.
struct Chunks {
  static constexpr std::string_view event = "chunks";
  std::string file;
};
TILELAB_FIELDS(Chunks, file)

/// What the compiler gave a kernel.
struct Kernel {
  static constexpr std::string_view event = "kernel";
  std::string name;  ///< The name that the linker sees.
  std::uint64_t registers = 0;
  std::uint64_t static_shared_bytes = 0;
};
TILELAB_FIELDS(Kernel, name, registers, static_shared_bytes)

/// A launch, with the bytes that lie in constant memory in hexadecimal digits.
struct JobLaunch {
  static constexpr std::string_view event = "launch";
  std::string kernel;  ///< The name of one that came before.
  Triple grid{};
  Triple block{};
  std::uint64_t dynamic_shared_bytes = 0;
  std::string parameters;
};
TILELAB_FIELDS(JobLaunch, kernel, grid, block, dynamic_shared_bytes, parameters)

/// All events of a job: a GPU, its memory, and what is launched on it. If launches are followed by
/// what some of their blocks stored elsewhere, the job asks whether they store the same here.
/// Constants, addresses, arrays and images count for all launches until others replace them; images
/// replace those of an earlier launch.
using Job = std::variant<Begin, Constant, Constants, Addresses, Salt, Array, Chunks, Image, Kernel,
                         HostStored, JobLaunch, Ran, Stored>;

/// An instruction of a kernel, and its share in what warps wait for and in the turns of atomics.
struct Waited {
  std::uint64_t instruction = 0;
  double waits = 0;
  double atomics = 0;
};
TILELAB_FIELDS(Waited, instruction, waits, atomics)

/// How a launch would do, as estimator::Estimate explains it.
struct Estimate {
  static constexpr std::string_view event = "estimate";
  std::string kernel;
  double cycles = 0;
  double instructions = 0;
  double resident_blocks = 0;
  double blocks_per_multiprocessor = 0;
  double share_simulated = 1;
  Map<double> busy;    ///< The share of time that a unit works.
  Map<double> stalls;  ///< Cycles per instruction that warps wait, in Nsight Compute's words.
  double dram_bytes = 0;
  double l2_bytes = 0;
  double bytes_in_flight = 0;
  double unknown_branches = 0;
  double unlike = 0;
  double spread = 0;
  std::vector<Waited> waited;
  std::vector<std::uint64_t> blocks;  ///< The numbers of those that were simulated.
};
TILELAB_FIELDS(Estimate, kernel, cycles, instructions, resident_blocks, blocks_per_multiprocessor,
               share_simulated, busy, stalls, dram_bytes, l2_bytes, bytes_in_flight,
               unknown_branches, unlike, spread, waited, blocks)

/// What blocks stored here and elsewhere, in words of arrays.
struct Compared {
  static constexpr std::string_view event = "compared";
  std::string kernel;
  std::uint64_t words = 0;  ///< That changed here or elsewhere.
  std::uint64_t equal = 0;  ///< Those of them that are the same, floats up to rounding.
};
TILELAB_FIELDS(Compared, kernel, words, equal)

/// The end of estimates: a kernel does something that the estimate does not know.
struct Unknown {
  static constexpr std::string_view event = "unknown";
  std::string text;
};
TILELAB_FIELDS(Unknown, text)

/// All events of estimates.
using Estimates = std::variant<Begin, Estimate, Compared, Unknown>;

/// The GPU that constants were measured on.
struct Capability {
  static constexpr std::string_view event = "capability";
  int major = 0;
  int minor = 0;
};
TILELAB_FIELDS(Capability, major, minor)

/// A constant that the driver knows, and not with six digits only.
struct Limit {
  static constexpr std::string_view event = "limit";
  std::string name;
  int value = 0;
};
TILELAB_FIELDS(Limit, name, value)

/// All events of a calibration.
using Calibration = std::variant<Begin, Capability, Limit, Constant>;

}  // namespace tilelab::schema
