#pragma once

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilelab {

/// An output array of a call. A call runs the function several times, in several orders of its
/// threads, and each run has its own result here.
template <class T>
class Output {
  static_assert(!std::is_same_v<T, bool>,
                "a vector<bool> is no array: tests keep bools as unsigned char");

 public:
  /// @param name  messages call the array by this name
  /// @param size  the number of elements
  Output(std::string name, std::size_t size) : name_(std::move(name)), size_(size) {}

  /// One run's result.
  struct Run {
    std::vector<T> values;  ///< The run left these elements.
    std::vector<T> before;  ///< These elements were there before the run: noise, for an output.
  };

  /// The array's name in messages.
  const std::string& name() const { return name_; }
  /// The number of elements.
  std::size_t size() const { return size_; }
  /// Whether a run may leave elements as they were, because they mean something; see InOut.
  bool is_inout() const { return is_inout_; }
  /// The runs of the last call, one per order of threads.
  const std::vector<Run>& runs() const { return runs_; }

  /// Forgets all runs.
  void clear() { runs_.clear(); }
  /// Adds a run, from the bytes that a worker sent back.
  void add_run(std::span<const std::byte> before, std::span<const std::byte> values) {
    runs_.push_back({copy(values), copy(before)});
  }

 protected:
  /// An array that a call reads and writes.
  struct ReadsToo {};
  /// @param name  that of the parameter
  /// @param size  in elements
  Output(ReadsToo, std::string name, std::size_t size)
      : name_(std::move(name)), size_(size), is_inout_(true) {}

 private:
  std::vector<T> copy(std::span<const std::byte> bytes) const {
    std::vector<T> elements(size_);
    if (size_ > 0) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

  std::string name_;
  std::size_t size_;
  bool is_inout_ = false;
  std::vector<Run> runs_;
};

/// An array that a call reads and writes. Every run starts from the same contents.
template <class T>
class InOut : public Output<T> {
 public:
  /// @param name     messages call the array by this name
  /// @param initial  what the array holds before each run
  InOut(std::string name, std::vector<T> initial)
      : Output<T>(typename Output<T>::ReadsToo{}, std::move(name), initial.size()),
        initial_(std::move(initial)) {}

  /// What the array holds before each run. Their number must not change.
  std::vector<T>& initial() { return initial_; }
  /// The same.
  const std::vector<T>& initial() const { return initial_; }

 private:
  std::vector<T> initial_;
};

/// An array that a call works in, marked with scratch(). It begins as noise, and nobody looks at
/// what is left in it. But what lies next to it has to stay as it was.
template <class T>
class Scratch {
 public:
  /// @param size  the number of elements
  explicit Scratch(std::size_t size) : size_(size) {}

  /// The number of elements.
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
};

/// What a function returns, run by run. A call takes it after the arguments of the parameters.
template <class T>
class Returned : public Output<T> {
 public:
  /// @param function  messages call the function by this name
  explicit Returned(std::string function) : Output<T>(std::move(function), 1) {}
};

}  // namespace tilelab
