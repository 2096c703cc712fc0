#pragma once

#include <unistd.h>

#include <utility>

namespace tilelab::judge {

/// An open file descriptor, which closes with its owner.
class Descriptor {
 public:
  /// A negative number is no descriptor.
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace tilelab::judge
