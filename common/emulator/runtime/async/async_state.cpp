#include "emulator/runtime/async/async_state.h"

#include <any>
#include <cstdio>
#include <memory>
#include <utility>

#include "emulator/runtime/async/async_copies.h"
#include "emulator/runtime/async/barriers.h"
#include "emulator/runtime/blocks/block_state.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {
namespace {

class AsyncState final : public BlockState {
  using Taken = std::pair<AsyncCopies, Barriers>;

 public:
  void block_begins() override { Barriers::instance().clear(); }
  void block_leaves() override {
    tell_unfinished_reads();
    AsyncCopies::instance().finish_block();
  }
  void block_is_abandoned() override { AsyncCopies::instance().forget_block(); }
  std::any take() override {
    AsyncCopies& copies = AsyncCopies::instance();
    Barriers& barriers = Barriers::instance();
    if (!copies.is_used() && !barriers.has_any()) return {};
    const auto taken = std::make_shared<Taken>(std::move(copies), std::move(barriers));
    copies = {};
    barriers = {};
    return taken;
  }
  void put(std::any taken) override {
    const auto* state = std::any_cast<std::shared_ptr<Taken>>(&taken);
    AsyncCopies::instance() = state != nullptr ? std::move((*state)->first) : AsyncCopies();
    Barriers::instance() = state != nullptr ? std::move((*state)->second) : Barriers();
  }
  void describe_waits() override { Barriers::instance().describe(); }

 private:
  /// The block ends, and its shared memory with it.
  static void tell_unfinished_reads() {
    const AsyncCopies::BulkGroup* const group = AsyncCopies::instance().find_reading_group();
    if (group == nullptr || !traces_block) return;
    char sentence[256];
    std::snprintf(sentence, sizeof sentence,
                  "starts a bulk copy out of shared memory in %s:%u, but its block may end before "
                  "the copy has read: commit it and call cp_async_bulk_wait_group_read()",
                  file_name(group->site), group->site.line);
    tell(&Listener::barrier_misused, group->site, sentence);
  }
};

}  // namespace

void follow_blocks() {
  static AsyncState state;
  block_state = &state;
}

}  // namespace tilelab::emulator
