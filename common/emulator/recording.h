#pragma once

#include <cstddef>

/// Recording: a program launches nothing, and writes down what it would have launched. A model of a
/// GPU can tell from that how long the kernels take. The program is compiled as for running, and
/// its main() has this form:
///
///     const int call = begin();
///     if (call == 0) {
///       const Array in = bits(4096), out = zeros(4096);
///       forget();
///       diff(in, out, 1024);
///     }
///     finish();
///
/// Device memory holds nothing then, and copies to the host bring nothing. With TILELAB_BLOCKS in
/// the environment, a word for each launch such as 0,17,42, the recording is a trial: these blocks
/// run, on memory that holds what schema/contents.h makes up, and what they change is written down.
/// If TILELAB_BLOCKS is "all", all blocks run, and what arrays hold at the end is written down: a
/// page from each address in TILELAB_LEFT. TILELAB_SALT is the salt of what is made up.
///
/// The environment has the number of the call, TILELAB_CALL, and says which GPU the program gets to
/// see: TILELAB_MULTIPROCESSORS, and in TILELAB_KERNELS a word for each kernel,
///
///     LINK_TIME_ADDRESS:REGISTERS:STATIC_SHARED_BYTES
///
/// The recording goes to standard output: schema/recording.h has its events.
namespace tilelab::emulator::recording {

/// The address of an array, as a pointer of any type.
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
/// An array of so many bytes that holds whole floats from -2 to 2, but not 0.
Array units(std::size_t bytes);
/// An array of random bits, which are an integer of any size.
Array bits(std::size_t bytes);
/// An array that holds zeros, and few exceptions: a result.
Array zeros(std::size_t bytes);
/// An array that holds zeros: memory to work in.
Array scratch(std::size_t bytes);

/// No more arrays follow. From here on, nothing in the process says what is made up.
void forget();

/// Begins the recording. Takes standard output away from the program, which must not write to the
/// recording. Call this before anything else, in the function that makes the calls.
/// @return the number of the call to make
int begin();

/// Writes the recording and ends the process, so that nothing of the program runs after that.
[[noreturn]] void finish();

}  // namespace tilelab::emulator::recording
