#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tilelab::judge {

/// What a judge program is told on its command line, before the `--` that Catch2's options follow.
struct Options {
  /// The program that starts workers.
  std::filesystem::path confine;
  /// The workers' programs by name: submission, baseline, reference, peaks, ...
  std::map<std::string, std::filesystem::path> workers;
  /// All inputs follow from the seed. It is secret unless it was given.
  std::uint64_t seed = 0;
  /// A call may take this many seconds.
  double time_limit = 5;
  /// A worker's process may hold this many bytes, and its arrays on top.
  std::uint64_t memory_limit = std::uint64_t{2} << 30;
  /// The submission's source, which messages quote. May be empty.
  std::filesystem::path source;
  /// The file that gets the events. May be empty.
  std::filesystem::path events;
  /// Whether host code of the submission may copy arrays to the host.
  bool may_read_back = false;
  /// The arrays of a call may begin at any multiple of this many bytes.
  std::size_t alignment = 16;
  /// Whether the elements of an input may come in any order.
  bool may_turn_inputs = false;
  /// Whether a barrier that threads skip, because they have ended, fails a test of safety.
  bool fails_skipped_barriers = false;
  /// Reports each checked call of the submission. Without a worker of the baseline, calls nothing
  /// but the submission.
  bool profile = false;
  /// What the reference solution moves, where there is no worker of it. May be empty.
  std::filesystem::path figures;
  /// Has draw_size() go through this many sizes instead of drawing one; 0 for none. The submission
  /// must be the reference solution, whose figures are reported.
  std::uint64_t sizes_per_draw = 0;
  /// Whole numbers in the submission's text, at which it may change what it does, in order.
  std::vector<std::uint64_t> constants;
  /// Those of them that it compares with numbers of blocks.
  std::vector<std::uint64_t> block_constants;
  /// Whether the submission may count or index in float or in 16 bits, which shows beyond 2^24
  /// elements.
  bool may_count_narrowly = false;
  /// The folder where judges share what the lab's own kernels did. May be empty.
  std::filesystem::path observed;
  /// A measurement ends after this many rounds, however noisy it is.
  std::size_t most_rounds = 40;
  /// How large a problem to draw a picture of; 0 leaves it to the lab.
  std::uint64_t picture_size = 0;
  /// A call at the size whose time is estimated, and what its kernels stored. May be empty.
  std::filesystem::path estimated;
  /// Which version of a submission that has several is judged.
  std::uint32_t version = 0;
  /// Tries this many versions instead of judging one, as try_versions() does; 0 for none.
  std::uint32_t versions = 0;
  /// Whether a submission is tried in many versions, of which few are worth a second look.
  bool is_one_of_many() const { return versions > 0 || version > 0; }
  /// Runs workers with the judge's own rights and environment, as a profiler needs it.
  bool unconfined = false;
  /// Starts workers without filters of system calls, which this system does not have.
  bool unfiltered = false;
};

/// Parses and removes the judge's options; the rest, with the program's name, is for Catch2.
/// Throws std::invalid_argument with a sentence.
Options parse_options(int argc, char** argv, std::vector<char*>& for_catch);

/// The options of this process, set once by main().
Options& options();

}  // namespace tilelab::judge
