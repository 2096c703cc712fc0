#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tilelab::judge {

/// What a judge program is told on its command line, before the `--` that Catch2's options follow.
struct Options {
  std::filesystem::path confine;                         ///< the program that starts workers
  std::map<std::string, std::filesystem::path> workers;  ///< by name: submission, baseline, ...
  std::uint64_t seed = 0;  ///< of all inputs; secret unless it was given
  double time_limit = 5;   ///< seconds per call
  std::uint64_t memory_limit = std::uint64_t{2} << 30;  ///< bytes per worker process
  std::filesystem::path source;   ///< of the submission, to be quoted; may be empty
  std::filesystem::path metrics;  ///< gets a line of JSON per measurement; may be empty
  /// Gets a line of JSON per observed call of the submission, which alone is called then.
  std::filesystem::path profile;
  /// Workers run with the judge's own rights and environment, as a profiler needs it.
  bool unconfined = false;
  std::filesystem::path student_output;  ///< gets what the submission printed; may be empty
};

/// Parses and removes the judge's options; the rest, with the program's name, is for Catch2.
/// Throws std::invalid_argument with a sentence.
Options parse_options(int argc, char** argv, std::vector<char*>& for_catch);

/// The options of this process, set once by main().
Options& options();

}  // namespace tilelab::judge
