#pragma once

#include <string>
#include <string_view>

namespace tilelab::rewriter {

/// nvcc preprocesses a file twice, and only for the device is there a __CUDA_ARCH__. Returns the
/// text for the host with the device's version of each function that differs: it replaces that of
/// a function for the device alone, and joins that of a function for both.
std::string with_device_code(std::string_view host, std::string_view device,
                             std::string_view source);

}  // namespace tilelab::rewriter
