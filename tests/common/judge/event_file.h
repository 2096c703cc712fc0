#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "judge/events.h"

/// Keeps the events of this process in a file, for the length of a test.
class EventFile {
 public:
  EventFile() { tilelab::judge::open_events(file_); }
  ~EventFile() {
    tilelab::judge::open_events("/dev/null");
    std::filesystem::remove(file_);
  }
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  std::string path() const { return file_; }

  /// The stream so far.
  std::string text() const {
    std::ifstream file(file_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("tilelab-events-" + std::to_string(getpid()));
};
