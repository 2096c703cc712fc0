#include "emulator/runtime/async/barriers.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {
namespace {

/// A mistake after which nothing sensible can happen.
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char* format, ...) {
  char sentence[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  Scheduler::instance().fault(cudaErrorLaunchFailure, sentence);
}

/// A mistake that only a checked build reports.
[[gnu::format(printf, 2, 3)]] void tell_misuse(Site site, const char* format, ...) {
  if (!traces_block) return;
  char sentence[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  tell(&Listener::barrier_misused, site, sentence);
}

}  // namespace

Barriers& Barriers::instance() {
  static auto* barriers = new Barriers;
  return *barriers;
}

void Barriers::clear() {
  if (!barriers_.empty()) barriers_.clear();
  if (!invalidated_.empty()) invalidated_.clear();
}

Barriers::Barrier& Barriers::find(const void* address, const char* verb, Site site) {
  const auto found = barriers_.find(address);
  if (found == barriers_.end()) {
    const auto invalid = invalidated_.find(address);
    if (invalid != invalidated_.end()) {
      stop("%s a barrier in %s:%u that was invalidated in %s:%u", verb, file_name(site), site.line,
           file_name(invalid->second), invalid->second.line);
    }
    stop(
        "%s a barrier in %s:%u that no thread of the block has initialized: one thread must call "
        "init(), and all others must wait for it at __syncthreads()",
        verb, file_name(site), site.line);
  }
  tell_exchange(&Listener::barrier_used, address, verb, site, found->second.initialized);
  return found->second;
}

void Barriers::initialize(const void* address, unsigned arrivals, Site site) {
  const auto [found, is_new] = barriers_.try_emplace(address);
  if (!is_new) {
    tell_misuse(site,
                "initializes a barrier in %s:%u that was already initialized in %s:%u: a barrier "
                "is initialized once, and then reused phase after phase",
                file_name(site), site.line, file_name(found->second.initialized),
                found->second.initialized.line);
  }
  if (arrivals == 0) {
    stop("initializes a barrier in %s:%u that expects no arrival", file_name(site), site.line);
  }
  invalidated_.erase(address);
  found->second = {};
  found->second.expected = found->second.pending = arrivals;
  found->second.initialized = site;
  tell_exchange(&Listener::barrier_initialized, address, site);
}

void Barriers::invalidate(const void* address, Site site) {
  const Barrier& barrier = find(address, "invalidates", site);
  if (!barrier.waiting.empty()) {
    tell_misuse(site, "invalidates a barrier in %s:%u at which threads still wait", file_name(site),
                site.line);
  }
  barriers_.erase(address);
  invalidated_[address] = site;
}

std::uint64_t Barriers::arrive(const void* address, unsigned arrivals, bool drops,
                               std::int64_t expected_bytes, Site site) {
  Barrier& barrier = find(address, "arrives at", site);
  end_phase_if_complete(barrier);
  if (arrivals > barrier.pending) {
    stop(
        "arrives at a barrier in %s:%u that expects no further arrival in this phase: it was "
        "initialized in %s:%u for %u",
        file_name(site), site.line, file_name(barrier.initialized), barrier.initialized.line,
        barrier.expected);
  }
  tell_exchange(&Listener::barrier_arrived, address, barrier.ended.size());
  if (traces_block && barrier.batch != 0) tell(&Listener::copies_committed, barrier.batch, site);
  barrier.arrived.insert(Scheduler::instance().current_rank());
  const std::uint64_t phases = barrier.ended.size() + 1;
  barrier.pending_bytes += expected_bytes;
  barrier.pending -= arrivals;
  if (drops) barrier.dropped += arrivals;
  if (!barrier.waiting.empty()) end_phase_if_complete(barrier);
  return phases;
}

void Barriers::expect_bytes(const void* address, std::int64_t bytes, Site site) {
  find(address, "expects bytes at", site).pending_bytes += bytes;
}

/// The thread may rely on what happened before the phases ended.
void Barriers::pass(const void* address, const Barrier& barrier, std::uint64_t phases, Site site) {
  if (phases == 0) return;
  tell_exchange(&Listener::barrier_passed, address, phases - 1, barrier.ended[phases - 1], site);
}

void Barriers::wait(const void* address, std::uint64_t phases, Site site) {
  Barrier& barrier = find(address, "waits at", site);
  end_phase_if_complete(barrier);
  if (barrier.ended.size() > phases) {
    tell_misuse(site,
                "waits in %s:%u for a phase of a barrier after which another one has ended: the "
                "token is too old",
                file_name(site), site.line);
  }
  if (barrier.ended.size() < phases) {
    Scheduler& scheduler = Scheduler::instance();
    barrier.waiting.push_back(scheduler.current_rank());
    barrier.description = "a barrier";
    scheduler.wait_for_wake(WaitsFor::async_barrier, barrier.description.c_str(), site);
  }
  pass(address, barrier, phases, site);
}

bool Barriers::try_wait(const void* address, std::uint64_t phases, Site site) {
  Barrier& barrier = find(address, "waits at", site);
  end_phase_if_complete(barrier);
  if (barrier.ended.size() < phases) Scheduler::instance().let_others_run();
  end_phase_if_complete(barrier);
  if (barrier.ended.size() < phases) return false;
  pass(address, barrier, phases, site);
  return true;
}

std::uint64_t Barriers::ended_phases(const void* address, Site site) {
  Barrier& barrier = find(address, "reads", site);
  end_phase_if_complete(barrier);
  return barrier.ended.size();
}

void Barriers::copy(const void* address, const AsyncCopies::Copy& copy, bool counts_bytes,
                    Site site) {
  Barrier& barrier = find(address, "copies with", site);
  end_phase_if_complete(barrier);
  Scheduler& scheduler = Scheduler::instance();
  if (!counts_bytes && barrier.arrived.contains(scheduler.current_rank())) {
    tell_misuse(site,
                "starts a copy in %s:%u for a barrier after it has arrived there: the phase may "
                "end without this copy; copy first, then arrive",
                file_name(site), site.line);
  }
  AsyncCopies& copies = AsyncCopies::instance();
  if (barrier.batch == 0) barrier.batch = copies.new_batch();
  const bool is_early = scheduler.copies_early();
  tell_exchange(&Listener::copy_issued, barrier.batch, barrier.batch);
  copies.issue(barrier.batch, copy, is_early);
  if (!counts_bytes) return;
  (is_early ? barrier.pending_bytes : barrier.late_bytes) -= copy.bytes;
  if (!barrier.waiting.empty()) end_phase_if_complete(barrier);
}

/// The last moment for late copies is when nothing but them is missing.
void Barriers::end_phase_if_complete(Barrier& barrier) {
  if (barrier.pending > 0 || barrier.pending_bytes + barrier.late_bytes != 0) return;
  AsyncCopies::instance().complete(barrier.batch);
  barrier.ended.push_back(barrier.batch);
  barrier.batch = 0;
  barrier.pending_bytes = barrier.late_bytes = 0;
  barrier.expected -= barrier.dropped;
  barrier.dropped = 0;
  barrier.pending = barrier.expected;
  barrier.arrived.clear();
  for (const unsigned rank : barrier.waiting) Scheduler::instance().wake(rank);
  barrier.waiting.clear();
}

/// Whether threads wait there that have not arrived. They wait for the phase of a parity.
bool Barriers::waits_for_others_alone(const Barrier& barrier) {
  return !barrier.ended.empty() && std::ranges::none_of(barrier.waiting, [&](unsigned rank) {
    return barrier.arrived.contains(rank);
  });
}

void Barriers::describe() {
  for (auto& [address, barrier] : barriers_) {
    char text[300];
    int length =
        std::snprintf(text, sizeof text, "a barrier (initialized in %s:%u for %u arrivals",
                      file_name(barrier.initialized), barrier.initialized.line, barrier.expected);
    const std::int64_t bytes = barrier.pending_bytes + barrier.late_bytes;
    const auto add = [&](const char* format, long long number) {
      length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length), format,
                              number);
    };
    if (barrier.pending > 0) {
      add(barrier.pending == 1 ? "; %lld is missing" : "; %lld are missing", barrier.pending);
    }
    if (bytes > 0) add("; copies have brought %lld bytes fewer than it expects", bytes);
    if (bytes < 0) add("; copies have brought %lld bytes more than it expects", -bytes);
    if (waits_for_others_alone(barrier)) {
      const auto ended = static_cast<long long>(barrier.ended.size());
      add(ended == 1 ? "; %lld phase has ended" : "; %lld phases have ended", ended);
      add(", the last of parity %lld", (ended - 1) % 2);
      add(", and the wait is for parity %lld", ended % 2);
    }
    // The threads that wait point to the text, so it must stay where it is.
    barrier.description.reserve(sizeof text);
    barrier.description = std::string(text) + ")";
    Scheduler::instance().rename_wait(barrier.waiting, barrier.description.c_str());
  }
}

}  // namespace tilelab::emulator
