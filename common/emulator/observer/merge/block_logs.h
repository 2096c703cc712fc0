#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/merge/lane_log.h"
#include "emulator/observer/merge/passed_barriers.h"
#include "emulator/observer/merge/warp_merge.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {

/// Keeps the logs of the traced block's threads, and decides when to put a warp's logs together.
/// The hooks write into the running thread's log.
class BlockLogs {
 public:
  explicit BlockLogs(WarpSink& sink) : sink_(sink), merge_(sink) {}

  void block_begins();
  void block_ends();

  struct Parked;
  /// Takes out what belongs to the block, while another one runs.
  std::unique_ptr<Parked> park();
  void resume(std::unique_ptr<Parked> block);
  /// Puts together what the threads did before a fault that ends the launch.
  void abandon();
  /// Where the thread that runs, or ran last, last wrote something down; 0 if that is not known.
  Code last_place() const;

  void thread_runs(unsigned rank);
  void thread_waits(unsigned rank, WaitsFor what);
  void thread_ends(unsigned rank);
  /// The thread waited for its tile or for the grid, and may continue.
  void thread_wakes(unsigned rank);
  /// Every living thread of the block has reached the barrier.
  void barrier_opens();
  /// @param number  the sink's number of the meeting, or 0 if the sink need not know of it
  void lanes_meet(unsigned warp, std::uint32_t lanes, std::uint32_t number);

  /// From now until the block ends, the sink also takes what each thread did alone, before a warp's
  /// logs are put together, and when flush() asks for it.
  void begin_thread_order() {
    is_in_thread_order_ = true;
    flushed_.fill(0);
  }
  bool is_in_thread_order() const { return is_in_thread_order_; }
  void flush(unsigned rank);

  /// In other blocks, the sink also takes what a thread did before others rely on it.
  void take_early(unsigned rank);
  void take_early(unsigned warp, std::uint32_t lanes);

  /// The block goes on, in this epoch. What its logs hold is of earlier ones.
  void begin_epoch(std::uint32_t epoch);

  /// Reports threads of the launch that went past a barrier at which others of their warp wait.
  void launch_ends(FindingLog& findings) {
    passed_barriers_.launch_ends(merge_.control_flow(), findings);
  }

  /// The running thread's log is full: the thread waits until there is room.
  void make_room();

  /// The events of the block's logs that were put together.
  const SeenEvents& taken() const { return taken_; }

  /// The rank of the thread whose log the hooks write.
  unsigned running_thread() const { return *running_; }
  std::span<const Event> log_of_running_thread() const;

 private:
  struct Warp {
    std::uint32_t busy = 0;        ///< Lanes that run or can run.
    std::uint32_t at_warp = 0;     ///< Lanes that wait for a warp operation, a tile or the grid.
    std::uint32_t paused = 0;      ///< Lanes whose log is full.
    std::uint32_t at_barrier = 0;  ///< Lanes that wait at the barrier.
    std::uint32_t ended = 0;       ///< Lanes that have ended since the last barrier.
  };

  void save();
  void show_stores(unsigned rank);
  void load(unsigned rank);
  void open(LaneLog& log);
  void close(LaneLog& log);
  void lane_rests(unsigned rank);
  void look_for_passages(unsigned warp);
  void resume_paused(unsigned warp);
  void drain(unsigned warp);
  void drain_all();

  WarpSink& sink_;
  bool is_in_thread_order_ = false;
  std::array<std::size_t, 1024>
      flushed_{};  ///< By thread: how many of its accesses were taken alone, or early.
  std::array<LaneLog, 1024> lanes_{};
  std::array<Warp, 32> warps_;
  SeenEvents taken_;
  std::optional<unsigned> running_;
  unsigned last_to_run_ = 0;
  unsigned last_to_wait_ = 0;
  std::vector<WarpMerge::Meeting> meetings_;  ///< The meetings since the barrier.
  LogPool pool_;
  WarpMerge merge_;
  PassedBarriers passed_barriers_;
};

struct BlockLogs::Parked {
  std::vector<LaneLog> lanes;
  std::array<Warp, 32> warps;
  unsigned last_to_wait;
  SeenEvents taken;
  std::vector<WarpMerge::Meeting> meetings;
  bool is_in_thread_order;
  std::array<std::size_t, 1024> flushed;
};

}  // namespace tilelab::emulator
