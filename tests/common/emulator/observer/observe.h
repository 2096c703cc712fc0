#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/observer/observer.h"
#include "judge/catch.h"
#include "report/report.h"

/// What the tests of the observer share. Kernels lie in .cu files, compiled as a checked build; a
/// line of theirs that a test speaks of carries a tag: `// @tag`.

using tilelab::Detail;
using tilelab::Order;
using tilelab::emulator::ObserverOptions;
using tilelab::report::AccessCounts;
using tilelab::report::Finding;
using tilelab::report::FindingKind;
using tilelab::report::LaunchReport;
using tilelab::report::MemoryCounts;
using tilelab::report::Report;

/// An array in device memory, with all bytes written or none. It is freed at the end of its scope.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count, bool is_written = true) : count_(count) {
    REQUIRE(cudaMalloc(&data_, count * sizeof(T)) == cudaSuccess);
    if (is_written) REQUIRE(cudaMemset(data_, 0, count * sizeof(T)) == cudaSuccess);
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator T*() { return data_; }

  Array& named(const char* name) {
    tilelab::emulator::name_allocation(data_, name, sizeof(T), count_);
    return *this;
  }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    REQUIRE(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return result;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

/// Runs it under observation, fills in lines, and clears any fault.
Report observe(const std::function<void()>& run, const ObserverOptions& options = {});

/// Runs it the same way and returns its only launch.
LaunchReport launch_of(const std::function<void()>& run, const ObserverOptions& options = {});

/// The number of the line with the tag, in any file of kernels.
unsigned line_of(const std::string& tag);

/// The counts of the line with the tag.
MemoryCounts counts_at(const LaunchReport& launch, const std::string& tag);

/// The findings of a kind.
std::vector<Finding> of_kind(const LaunchReport& launch, FindingKind kind);

/// A sentence for each finding.
std::string texts_of(const std::vector<Finding>& findings);

/// Fails unless exactly this was found, on these lines in any order.
void require_only(const LaunchReport& launch, FindingKind kind, const std::string& tag,
                  const std::string& other_tag = "");
