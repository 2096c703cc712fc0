#include "judge/calls/observation.h"

#include <map>

#include "judge/calls/images.h"
#include "judge/checks/profile.h"
#include "judge/options.h"
#include "report/decode.h"
#include "report/source_lines.h"

namespace tilelab::judge {
namespace {

// A report holds a few lines and findings per launch.
constexpr std::size_t report_room = std::size_t{8} << 20;

report::SourceLines& source_lines_of(const std::string& worker) {
  static std::map<std::string, report::SourceLines> all;
  return all.try_emplace(worker, options().workers.at(worker)).first->second;
}

report::Report report_of(const wire::Reply& reply, std::span<const std::byte> room,
                         const std::string& subject) {
  try {
    if (reply.report_bytes == 0) return {};  // of a worker that observes nothing
    if (reply.report_bytes > room.size()) throw std::runtime_error("a report is too long");
    return report::decode(room.first(reply.report_bytes));
  } catch (const std::runtime_error& error) {
    throw SubmissionError(subject + " damaged what was observed of it: " + error.what() + ".");
  }
}

}  // namespace

Observation observe(const std::string& name, const Function& function,
                    const std::vector<CallArgument>& arguments, Detail detail, Order order) {
  Random random(arguments.front().bytes);
  const Images images(arguments, Images::Contents::inputs_and_outputs, random,
                      Images::Guards::none);
  const std::size_t images_bytes = images.file().bytes().size();
  const MemoryFile results(images_bytes + report_room, MemoryFile::Writer::worker_too);
  wire::Request request;
  request.command = wire::Command::observe;
  request.function = function.index;
  request.order = order;
  request.order_seed = random.bits();
  request.detail = detail;
  request.report_offset = images_bytes;
  images.describe_in(request);
  const Limits limits{options().time_limit, memory_limit_for(results.bytes().size())};
  const std::string subject = describe(function, arguments);
  const wire::Reply reply = worker(name).ask(request, &images.file(), &results, limits, subject);

  Observation observation;
  observation.report = report_of(reply, results.bytes().subspan(images_bytes), subject);
  source_lines_of(name).resolve(observation.report);
  if (reply.status != wire::Status::ok) observation.failure = subject + " failed on the device.";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].role == wire::Role::input) observation.input_bytes += arguments[i].bytes;
    if (arguments[i].role != wire::Role::output) continue;
    observation.output_bytes += arguments[i].bytes;
    if (reply.status != wire::Status::ok) continue;
    const auto poison = images.payload(i, images.file());
    const auto values = images.payload(i, results);
    observation.outputs.push_back({{poison.begin(), poison.end()}, {values.begin(), values.end()}});
  }
  write_profile(subject, observation);
  return observation;
}

}  // namespace tilelab::judge
