#include "worker/call_arrays.h"

#include <algorithm>

#include "worker/backend.h"

namespace tilelab::worker {
namespace {

std::byte* allocate(std::size_t bytes, CallArrays::Memory memory) {
  std::byte* image = nullptr;
  if (memory == CallArrays::Memory::host) {
    image = allocate_host_array(bytes);
    if (image == nullptr) throw RunnerError("no host memory is left");
  } else {
    require(cudaMalloc(reinterpret_cast<void**>(&image), bytes), "cudaMalloc");
  }
  return image;
}

}  // namespace

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw RunnerError(std::string(what) + ": " + cudaGetErrorString(error));
}

CallArrays::CallArrays(std::span<const wire::Argument> arguments, Memory memory)
    : arguments_(arguments.begin(), arguments.end()), memory_(memory) {
  for (const wire::Argument& argument : arguments_) {
    std::byte* image = nullptr;
    if (wire::is_array(argument.role)) image = allocate(argument.image.bytes(), memory_);
    images_.push_back(image);
    values_.push_back({image == nullptr ? nullptr : image + argument.image.front, nullptr});
    if (argument.role == wire::Role::returned) {
      returned_.resize(argument.image.payload);
      values_.back().array = returned_.data();
    }
  }
  // Only now, because these are pointers into arguments_, which must not move any more.
  for (std::size_t i = 0; i < arguments_.size(); ++i) values_[i].scalar = arguments_[i].value;
}

CallArrays::~CallArrays() {
  for (std::byte* image : images_) {
    if (memory_ == Memory::host) {
      release_host_array(image);
    } else {
      // This fails after a kernel fault, but then the process is about to end anyway.
      static_cast<void>(cudaFree(image));
    }
  }
}

void CallArrays::upload(const std::byte* images, Upload which) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (images_[i] == nullptr) continue;
    if (!wire::is_read(arguments_[i].role) && which == Upload::inputs) continue;
    const wire::Image& image = arguments_[i].image;
    require(cudaMemcpy(images_[i], images + image.offset, image.bytes(),
                       memory_ == Memory::host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice),
            "copying the inputs");
  }
}

void CallArrays::turn_inputs(const std::byte* images) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const wire::Argument& argument = arguments_[i];
    const wire::Image& image = argument.image;
    if (!wire::is_read(argument.role) || image.payload <= argument.element_bytes) continue;
    const std::byte* const begin = images + image.offset + image.front;
    std::vector<std::byte> turned(begin, begin + image.payload);
    std::rotate(turned.begin(), turned.begin() + argument.element_bytes, turned.end());
    require(cudaMemcpy(images_[i] + image.front, turned.data(), turned.size(),
                       memory_ == Memory::host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice),
            "copying the inputs in another order");
  }
}

void CallArrays::copy_inputs(const CallArrays& other) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (!wire::is_read(arguments_[i].role)) continue;
    require(cudaMemcpy(images_[i], other.images_[i], arguments_[i].image.bytes(),
                       cudaMemcpyDeviceToDevice),
            "copying the inputs on the device");
  }
}

bool CallArrays::has_inout() const {
  return std::any_of(arguments_.begin(), arguments_.end(), [](const wire::Argument& argument) {
    return argument.role == wire::Role::inout;
  });
}

void CallArrays::restore_inout(const CallArrays& originals) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (arguments_[i].role != wire::Role::inout) continue;
    const wire::Image& image = arguments_[i].image;
    require(cudaMemcpyAsync(images_[i] + image.front, originals.images_[i] + image.front,
                            image.payload, cudaMemcpyDeviceToDevice),
            "restoring what a launch has changed");
  }
}

void CallArrays::download(std::byte* results) const {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const wire::Image& image = arguments_[i].image;
    if (arguments_[i].role == wire::Role::returned) {
      std::copy(returned_.begin(), returned_.end(), results + image.offset + image.front);
    }
    if (images_[i] == nullptr) continue;
    require(cudaMemcpy(results + image.offset, images_[i], image.bytes(),
                       memory_ == Memory::host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost),
            "copying the results");
  }
}

bool CallArrays::has_no_input() const {
  std::size_t inputs = 0, bytes = 0;
  for (const wire::Argument& argument : arguments_) {
    if (!wire::is_read(argument.role)) continue;
    ++inputs;
    bytes += argument.image.payload;
  }
  return inputs > 0 && bytes == 0;
}

std::string CallArrays::foreign_work() const {
  // Where there is nothing to compute, there is no work for a kernel.
  if (memory_ == Memory::host || has_no_input()) return {};
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const wire::Argument& argument = arguments_[i];
    if (images_[i] == nullptr || !wire::is_written(argument.role)) continue;
    std::string sentence =
        worker::foreign_work(values_[i].array, argument.name, argument.element_bytes,
                             argument.image.payload / argument.element_bytes);
    if (!sentence.empty()) return sentence;
  }
  return {};
}

void CallArrays::name_for_faults() const {
  std::vector<PassedArray> named;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (images_[i] == nullptr || memory_ == Memory::host) continue;
    const wire::Argument& argument = arguments_[i];
    named.push_back({values_[i].array, argument.image.payload, argument.name,
                     wire::is_read(argument.role), wire::is_written(argument.role)});
  }
  name_passed_arrays(named);
}

void CallArrays::name_in_report() const {
  if (memory_ == Memory::host) return;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (images_[i] == nullptr) continue;
    const wire::Argument& argument = arguments_[i];
    name_array(values_[i].array, argument.name, argument.element_bytes,
               argument.image.payload / argument.element_bytes, wire::is_read(argument.role));
  }
}

void CallArrays::read(std::size_t argument, std::size_t offset, std::size_t bytes,
                      std::byte* to) const {
  if (arguments_.at(argument).role == wire::Role::returned) {
    std::copy_n(&returned_.at(offset), bytes, to);
    return;
  }
  const std::byte* payload = images_.at(argument) + arguments_[argument].image.front;
  require(cudaMemcpy(to, payload + offset, bytes, cudaMemcpyDeviceToHost), "reading an output");
}

void CallArrays::fill_outputs(std::uint64_t seed) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const wire::Role role = arguments_[i].role;
    if (role != wire::Role::output && role != wire::Role::scratch) continue;
    const wire::Image& image = arguments_[i].image;
    start_noise(images_[i] + image.front, image.payload, turn::mix(seed) + i);
  }
}

TurningSet CallArrays::turning(const CallArrays& originals) const {
  TurningSet set;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const wire::Argument& argument = arguments_[i];
    if (images_[i] == nullptr || argument.image.payload == 0) continue;
    TurningArray& array = set.arrays[set.count++];
    array.array = {static_cast<std::uint32_t>(i), argument.element_bytes,
                   argument.image.payload / argument.element_bytes};
    array.values = images_[i] + argument.image.front;
    array.is_output = wire::is_written(argument.role);
    if (wire::is_read(argument.role)) {
      array.originals = originals.images_[i] + argument.image.front;
    }
  }
  return set;
}

}  // namespace tilelab::worker
