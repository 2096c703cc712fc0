#include "estimator/timing/gpu.h"

#include <map>
#include <stdexcept>

namespace tilelab::estimator {

Gpu read_gpu(std::istream& in) {
  static const std::map<std::string, double Gpu::*> members = {
#define TILELAB_MEMBER(name) {#name, &Gpu::name}
      TILELAB_MEMBER(multiprocessors),
      TILELAB_MEMBER(gigahertz),
      TILELAB_MEMBER(registers),
      TILELAB_MEMBER(warps),
      TILELAB_MEMBER(blocks),
      TILELAB_MEMBER(shared_bytes),
      TILELAB_MEMBER(shared_reserved),
      TILELAB_MEMBER(l1_bytes),
      TILELAB_MEMBER(l2_bytes),
      TILELAB_MEMBER(l2_reach),
      TILELAB_MEMBER(fma),
      TILELAB_MEMBER(alu),
      TILELAB_MEMBER(xu),
      TILELAB_MEMBER(adu),
      TILELAB_MEMBER(uniform),
      TILELAB_MEMBER(fp64),
      TILELAB_MEMBER(shuffle),
      TILELAB_MEMBER(xu_latency),
      TILELAB_MEMBER(constant_latency),
      TILELAB_MEMBER(special_latency),
      TILELAB_MEMBER(shuffle_latency),
      TILELAB_MEMBER(shared_latency),
      TILELAB_MEMBER(l1_latency),
      TILELAB_MEMBER(l2_latency),
      TILELAB_MEMBER(dram_latency),
      TILELAB_MEMBER(barrier_latency),
      TILELAB_MEMBER(block_latency),
      TILELAB_MEMBER(block_warp_latency),
      TILELAB_MEMBER(block_launch),
      TILELAB_MEMBER(l2_bytes_per_second),
      TILELAB_MEMBER(dram_read),
      TILELAB_MEMBER(dram_copy),
      TILELAB_MEMBER(partial_stores),
      TILELAB_MEMBER(atomics_same_word),
      TILELAB_MEMBER(atomics),
      TILELAB_MEMBER(shared_atomic),
      TILELAB_MEMBER(barrier_arrival),
      TILELAB_MEMBER(match),
      TILELAB_MEMBER(l1_line),
      TILELAB_MEMBER(read_window),
      TILELAB_MEMBER(shared_increment),
      TILELAB_MEMBER(dram_wait),
      TILELAB_MEMBER(atomics_line),
      TILELAB_MEMBER(atomics_words),
      TILELAB_MEMBER(atomics_same_word_float),
      TILELAB_MEMBER(dram_open_read),
      TILELAB_MEMBER(dram_open_write),
      TILELAB_MEMBER(l1_queue),
      TILELAB_MEMBER(l2_queue),
#undef TILELAB_MEMBER
  };
  Gpu made;
  std::string name;
  double value = 0;
  while (in >> name >> value) {
    const auto found = members.find(name);
    if (found == members.end()) throw std::runtime_error("no GPU has a figure named " + name);
    made.*found->second = value;
  }
  if (!in.eof()) throw std::runtime_error("the figure " + name + " is not a number");
  return made;
}

}  // namespace tilelab::estimator
