#pragma once

#include <cstring>

#include "emulated/site.h"

namespace tilelab::emulator {

/// The name of the place's file, without its folder.
inline const char* file_name(Site site) {
  const char* slash = std::strrchr(site.file, '/');
  return slash != nullptr ? slash + 1 : site.file;
}

}  // namespace tilelab::emulator
