#pragma once

#include <cstddef>

/// What the main function of a recorded call needs: its arguments, and where the recording goes. No
/// array exists: only its address and size count.
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

/// Takes standard output away from the submission, which must not write to the recording. Returns
/// the number of the call to make.
int begin();
/// Writes the recording and ends the process, so that nothing of the submission runs after that.
[[noreturn]] void finish();

}  // namespace tilelab::recorder
