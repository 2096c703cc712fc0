#include "emulator/runtime/async/async_state.h"

#include <any>

#include "emulator/runtime/async/async_copies.h"
#include "emulator/runtime/async/barriers.h"
#include "emulator/runtime/execution/block_state.h"

namespace tilelab::emulator {
namespace {

class AsyncState final : public BlockState {
 public:
  void block_begins() override { Barriers::instance().clear(); }
  void block_leaves() override { AsyncCopies::instance().finish_block(); }
  void block_is_abandoned() override { AsyncCopies::instance().forget_block(); }
  bool is_used() const override {
    return AsyncCopies::instance().is_used() || Barriers::instance().has_any();
  }
  std::any save() const override { return Barriers::instance(); }
  void restore(const std::any& saved) override {
    if (const auto* barriers = std::any_cast<Barriers>(&saved)) {
      Barriers::instance() = *barriers;
    } else {
      Barriers::instance().clear();
    }
  }
  void describe_waits() override { Barriers::instance().describe(); }
};

}  // namespace

void follow_blocks() {
  static AsyncState state;
  block_state = &state;
}

}  // namespace tilelab::emulator
