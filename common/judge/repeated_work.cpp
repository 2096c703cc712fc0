#include "judge/repeated_work.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace tilelab::judge {
namespace {

using report::LaunchReport;

// A kernel may well store an element, look at it, and store it again.
constexpr std::uint64_t fewest_times = 8;

/// What is known of the launch that stored each element most often.
struct Noted {
  std::uint64_t times = 0;
  std::string sentence;
};

Noted& noted() {
  static Noted instance;
  return instance;
}

/// How many stores there were for each byte that was stored at all.
std::uint64_t times_stored(const LaunchReport& launch) {
  const std::uint64_t stored = launch.totals.global_stores.bytes_requested;
  return launch.distinct_global_bytes_stored == 0 ? 0
                                                  : stored / launch.distinct_global_bytes_stored;
}

/// What the launch has that many of, which may be why.
const char* as_often_as(const LaunchReport& launch, std::uint64_t times) {
  const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  if (times == launch.blocks * threads) return "there are threads";
  if (times == launch.blocks) return "there are blocks";
  if (times == threads) return "a block has threads";
  return nullptr;
}

std::string describe(const std::string& call, const LaunchReport& launch, std::uint64_t times) {
  std::ostringstream text;
  text << "Before, in " << call << ", kernel " << launch.kernel << " stored each element " << times
       << " times on average";
  const char* const counted = as_often_as(launch, times);
  if (counted == nullptr) return text.str() + ".";
  text << ", as often as " << counted << ". Does each of them do all the work?";
  return text.str();
}

/// With the space after it. What comes next is where the call was when its time was over.
std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text + " " : text.substr(0, end + 2);
}

}  // namespace

void note_stores(const Observation& observation) {
  for (const LaunchReport& launch : observation.report.launches) {
    const std::uint64_t times = times_stored(launch);
    if (times < fewest_times || times <= noted().times) continue;
    noted() = {times, describe(observation.call, launch, times)};
  }
}

void explain_time(Message& message) {
  if (message.pattern != "out_of_time" || noted().sentence.empty()) return;
  message.pattern = "repeated_work";
  for (std::string* text : {&message.sentence, &message.summary}) {
    if (text->empty()) continue;
    *text = first_sentence(*text) + noted().sentence;
  }
}

}  // namespace tilelab::judge
