#pragma once

#include <optional>

#include "driver_types.h"

namespace tilelab::emulator {

/// While an object of this class lives, all work belongs to its stream, whatever streams the calls
/// name: a graph runs where it is launched, and a copy of many parts where the whole belongs.
class StreamOfWork {
 public:
  explicit StreamOfWork(cudaStream_t stream) : outer_(current_) {
    if (!current_) current_ = stream;
  }
  ~StreamOfWork() { current_ = outer_; }
  StreamOfWork(const StreamOfWork&) = delete;
  StreamOfWork& operator=(const StreamOfWork&) = delete;

  static bool is_given() { return current_.has_value(); }
  /// The stream that work belongs to if its call names `stream`.
  static cudaStream_t of(cudaStream_t stream) { return current_.value_or(stream); }

 private:
  static inline std::optional<cudaStream_t> current_;
  std::optional<cudaStream_t> outer_;
};

/// While an object of this class lives, copies and fills have the name of one function, whatever
/// functions make them: one of many parts is that of the whole.
class NameOfWork {
 public:
  explicit NameOfWork(const char* name) : outer_(current_) {
    if (current_ == nullptr) current_ = name;
  }
  ~NameOfWork() { current_ = outer_; }
  NameOfWork(const NameOfWork&) = delete;
  NameOfWork& operator=(const NameOfWork&) = delete;

  /// The name that work has if the function `name` does it.
  static const char* of(const char* name) { return current_ != nullptr ? current_ : name; }

 private:
  static inline const char* current_ = nullptr;
  const char* outer_;
};

}  // namespace tilelab::emulator
