#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/findings/finding_log.h"

namespace tilelab::emulator {

/// Finds what a submission writes into arrays that its function may only read, even if it puts back
/// what was there.
class InputWrites final : public Analysis {
 public:
  explicit InputWrites(FindingLog& findings) : findings_(findings) {}

  Wants wants() const override { return {.accesses = true}; }
  Detail needs() const override { return Detail::everything; }
  void observation_begins(const ObserverOptions& options) override {
    is_observing_ = options.detail >= needs();
  }
  void add_to(report::Report&) override { is_observing_ = false; }
  void take(const WarpAccess& access) override;
  void stream_copy_begins(cudaStream_t, const char* call) override { call_ = call; }
  void stream_copy_accesses(const void* begin, std::size_t bytes, bool writes) override;
  void call_begins(const void*) override { is_calling_ = true; }
  void call_ends() override { is_calling_ = false; }

 private:
  FindingLog& findings_;
  const char* call_ = "";  ///< The function of the runtime that copies or fills memory.
  bool is_observing_ = false;
  bool is_calling_ = false;
};

}  // namespace tilelab::emulator
