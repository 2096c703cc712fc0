#include "judge/calls/call.h"

#include "judge/options.h"
#include "judge/worker/limits.h"

namespace tilelab::judge {
namespace {

/// Reports what a worker printed during a call, however the call ends.
class ReportOutput {
 public:
  ReportOutput(Worker& worker, const std::string& subject) : worker_(worker), subject_(subject) {}
  ~ReportOutput() { worker_.report_output(subject_); }
  ReportOutput(const ReportOutput&) = delete;
  ReportOutput& operator=(const ReportOutput&) = delete;

 private:
  Worker& worker_;
  const std::string& subject_;
};

}  // namespace

Call::Call(const Function& function, const std::vector<CallArgument>& arguments, Random& random,
           std::size_t report_room, unsigned shift, std::size_t alignment)
    : function_(function),
      arguments_(arguments),
      images_(arguments, Images::Contents::inputs_and_outputs, random, shift, alignment),
      results_(images_.file().bytes().size() + report_room, MemoryFile::Writer::worker_too),
      order_seed_(random.bits() + shift),
      subject_(describe(function, arguments)) {}

wire::Reply Call::ask(Worker& worker, wire::Request request) const {
  request.function = function_.index;
  request.order_seed = order_seed_;
  request.report_offset = images_.file().bytes().size();
  images_.describe_in(request);
  const std::size_t held = results_.bytes().size();
  const Limits limits{time_limit_for(bytes_of_arrays(arguments_), held), memory_limit_for(held)};
  const ReportOutput report(worker, subject_);
  return worker.ask(request, &images_.file(), &results_, limits, subject_);
}

RunResult Call::result() const {
  RunResult run;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!wire::is_written(arguments_[i].role)) continue;
    const auto before = images_.payload(i, images_.file());
    const auto values = images_.payload(i, results_);
    run.outputs.push_back({{before.begin(), before.end()}, {values.begin(), values.end()}});
  }
  return run;
}

std::span<const std::byte> Call::report_room() const {
  return results_.bytes().subspan(images_.file().bytes().size());
}

}  // namespace tilelab::judge
