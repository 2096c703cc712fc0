#include "judge/calls/observation.h"

#include <algorithm>

#include "judge/calls/call.h"
#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/stopped_at.h"
#include "judge/worker/endings.h"
#include "judge/worker/errors.h"
#include "judge/worker/workers.h"
#include "report/decode.h"

namespace tilelab::judge {
namespace {

// A report holds a few lines and findings per launch.
constexpr std::size_t report_room = std::size_t{8} << 20;

report::Report report_of(const wire::Reply& reply, const Call& call) {
  const std::span<const std::byte> room = call.report_room();
  try {
    if (reply.report_bytes == 0) return {};  // the worker is no checked build
    if (reply.report_bytes > room.size()) throw std::runtime_error("a report is too long");
    return report::decode(room.first(reply.report_bytes));
  } catch (const std::runtime_error& error) {
    throw SubmissionError(call.subject() + " damaged what was observed of it: " + error.what() +
                          ".");
  }
}

/// The bytes of all elements that a call has changed.
std::size_t changed_bytes(const RunResult::Bytes& array, std::size_t element_bytes) {
  std::size_t changed = 0;
  for (std::size_t at = 0; at < array.values.size(); at += element_bytes) {
    const auto begin = static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(element_bytes);
    const bool is_same = std::equal(array.values.begin() + begin, array.values.begin() + end,
                                    array.before.begin() + begin);
    if (!is_same) changed += element_bytes;
  }
  return changed;
}

/// Notes what no kernel can do without. An array that is read and written may hold elements that
/// need neither.
void note_needed(Observation& observation, const std::vector<CallArgument>& arguments) {
  auto output = observation.result.outputs.begin();
  for (const CallArgument& argument : arguments) {
    if (argument.role == wire::Role::input) observation.needed_loads += argument.bytes;
    if (!wire::is_written(argument.role) || output == observation.result.outputs.end()) continue;
    if (argument.role == wire::Role::output) observation.needed_stores += argument.bytes;
    if (argument.role == wire::Role::inout) {
      observation.needed_stores += changed_bytes(*output, argument.element_bytes);
    }
    ++output;
  }
}

}  // namespace

Observation observe(const std::string& name, const Function& function,
                    const std::vector<CallArgument>& arguments, Detail detail, Order order,
                    std::uint64_t block_limit, unsigned shift) {
  Random random(arguments.front().bytes);
  // The same layout as for every other call, so that a submission cannot tell that it is observed.
  // What is counted is that of aligned arrays, which half of the others have, too.
  const bool is_counted = detail != Detail::everything;
  const Call call(function, arguments, random, report_room, shift,
                  is_counted ? Images::usual_alignment : options().alignment);
  wire::Request request;
  request.command = wire::Command::observe;
  request.order = order;
  request.detail = detail;
  request.block_limit = block_limit;
  const wire::Reply reply = call.ask(worker(name), request);

  Observation observation;
  observation.call = call.subject();
  observation.report = report_of(reply, call);
  report::SourceLines& lines = source_lines_of(options().workers.at(name));
  lines.resolve(observation.report);
  lines.name_callers(observation.report, is_in_submission);
  if (reply.status == wire::Status::ok) {
    observation.result = call.result();
  } else {
    observation.failure = explain_error(reply, call.subject(), request);
  }
  observation.cuda_calls = reply.failed_call;
  observation.problem = problem_of(arguments);
  note_needed(observation, arguments);
  return observation;
}

}  // namespace tilelab::judge
