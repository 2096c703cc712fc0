#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/observer/events/analysis.h"
#include "schema/array_places.h"

namespace tilelab::emulator {

/// What launches pass to their kernels, with addresses where estimates have them, so that it can be
/// compared with a recording of the same call.
class LaunchArguments final : public Analysis {
 public:
  /// An array of the call. They come in the order of the parameters.
  void add_array(const void* begin, std::size_t bytes);
  /// Notes those of the launch that begins.
  void note(const KernelCall& kernel);
  void observation_begins(const ObserverOptions&) override { is_observing_ = true; }
  void memory_allocated(const void* begin, std::size_t bytes) override;
  void add_to(report::LaunchReport& report) override;
  void add_to(report::Report&) override;

 private:
  struct Array {
    std::uint64_t begin;
    std::size_t bytes;
    std::uint64_t place;
  };

  static void add_argument(void* self, const Argument& argument);
  std::uint64_t placed(std::uint64_t word) const;

  bool is_observing_ = false;
  schema::ArrayPlaces places_;
  std::vector<Array> arrays_;  ///< The newest last.
  std::string text_;           ///< The arguments of the launch.
};

}  // namespace tilelab::emulator
