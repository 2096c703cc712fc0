#pragma once

#include <filesystem>
#include <string>

#include "judge/options.h"
#include "judge/worker/workers.h"

/// Which program each worker runs, for the length of a test.
struct Cast {
  Cast(const std::string& submission, const std::string& baseline, const std::string& reference) {
    const std::filesystem::path folder = WORKER_FOLDER;
    tilelab::judge::options().workers = {{"submission", folder / submission},
                                         {"baseline", folder / baseline},
                                         {"reference", folder / reference}};
  }
  ~Cast() {
    tilelab::judge::stop_workers();
    tilelab::judge::options() = before;
  }
  tilelab::judge::Options before = tilelab::judge::options();
};
