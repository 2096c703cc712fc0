#pragma once

#include <cstddef>

/// What a recorded call gets as its arguments. No array exists: only its address and size count.
namespace tilelab::recorder {

/// The address of an array that no memory is behind, as a pointer of any type.
class Array {
 public:
  explicit Array(void* address) : address_(address) {}

  template <class T>
  operator T*() const {
    return static_cast<T*>(address_);
  }

 private:
  void* address_;
};

/// An array of so many bytes that holds fractions in [0, 1).
Array fractions(std::size_t bytes);
/// An array of random bits, which are an integer of any size.
Array bits(std::size_t bytes);
/// An array that holds zeros: a result, or memory to work in.
Array zeros(std::size_t bytes);

}  // namespace tilelab::recorder
