#include "emulator/runtime/async/async_state.h"

#include <any>
#include <memory>
#include <utility>

#include "emulator/runtime/async/async_copies.h"
#include "emulator/runtime/async/barriers.h"
#include "emulator/runtime/blocks/block_state.h"

namespace tilelab::emulator {
namespace {

class AsyncState final : public BlockState {
  using Taken = std::pair<AsyncCopies, Barriers>;

 public:
  void block_begins() override { Barriers::instance().clear(); }
  void block_leaves() override { AsyncCopies::instance().finish_block(); }
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
};

}  // namespace

void follow_blocks() {
  static AsyncState state;
  block_state = &state;
}

}  // namespace tilelab::emulator
