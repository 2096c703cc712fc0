#pragma once

#include <any>

namespace tilelab::emulator {

/// What the running block has besides its threads and its shared memory: copies and barriers of its
/// own. The scheduler tells when blocks come and go.
class BlockState {
 public:
  virtual void block_begins() = 0;
  /// The block ends: what is under way happens now.
  virtual void block_leaves() = 0;
  /// The block ends with a fault: what is under way never happens.
  virtual void block_is_abandoned() = 0;
  /// Takes out what the block has, while another one runs; empty if it has nothing.
  virtual std::any take() = 0;
  virtual void put(std::any taken) = 0;
  /// Says of each thread that waits what it waits for, for the sentence about a deadlock.
  virtual void describe_waits() = 0;

 protected:
  ~BlockState() = default;
};

/// Null as long as no block has used any.
inline BlockState* block_state = nullptr;

}  // namespace tilelab::emulator
