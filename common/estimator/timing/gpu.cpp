#include "estimator/timing/gpu.h"

#include <stdexcept>

namespace tilelab::estimator {

void set(Gpu& gpu, const schema::Constant& constant) {
  bool is_known = false;
  schema::for_each_field<Gpu>([&](const auto& field) {
    if (field.name != constant.name) return;
    gpu.*field.member = constant.value;
    is_known = true;
  });
  if (!is_known) throw std::runtime_error("no GPU has a constant named " + constant.name);
}

}  // namespace tilelab::estimator
