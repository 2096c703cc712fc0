#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulated/kernel_call.h"
#include "emulator/runtime/recording/block_times.h"
#include "emulator/runtime/recording/trial.h"
#include "schema/contents.h"

namespace tilelab::emulator {

/// Writes down what a program launches, in place of running it or, for a trial, in addition to
/// running blocks of it (recording.h). Device memory must be open.
class Recorder {
 public:
  /// What a kernel takes on the GPU that the program gets to see.
  struct Resources {
    int registers = 32;
    std::size_t static_shared_bytes = 0;
  };

  /// Reads from the environment which GPU that is.
  Recorder();

  void array(void* address, std::size_t bytes, schema::Contents contents);
  void launch(const KernelCall& kernel, const LaunchConfiguration& configuration);
  /// In a trial, the blocks that run of the launch that was written down last; null for all.
  const std::vector<std::uint64_t>* blocks_to_run();
  /// Who hears how they run; null for nobody.
  BlockTimes* times();
  /// They have run.
  void launch_ends();
  /// Whether device memory holds something.
  bool is_trial() const { return trial_.has_value(); }
  void forget_salt() {
    if (trial_) trial_->forget_salt();
  }
  /// The runtime copies or fills memory, and reads and writes so many bytes for that.
  void moves(std::size_t bytes);
  /// Host code reads device memory.
  void host_reads();
  void end();

  Resources resources_of(const void* kernel) const;

  /// All lines so far.
  const std::string& text() const { return text_; }

 private:
  template <class Event>
  void add(const Event& event);
  template <class Event>
  void add_changes();

  std::map<std::uint64_t, Resources> kernels_;  // by link-time address
  std::optional<Trial> trial_;
  std::vector<std::uint64_t> left_;  ///< Where to look when all blocks have run.
  BlockTimes times_;                 ///< Those of the last launch.
  std::string text_;
};

/// The one that records; nullptr where kernels run.
inline Recorder* recorder = nullptr;

}  // namespace tilelab::emulator
