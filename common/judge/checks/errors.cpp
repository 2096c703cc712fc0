#include "judge/checks/errors.h"

#include "judge/write_event.h"

namespace tilelab::judge {

void write_errors(const std::string& output, std::size_t elements, const Errors& errors) {
  write_event(schema::Errors{output, elements, errors.rms(), errors.largest()});
}

}  // namespace tilelab::judge
