#pragma once

#include <string>

/// What a shell command printed, standard error included, and how it ended.
struct CommandResult {
  std::string output;
  int status;  ///< exit status; 128 + signal if the shell saw one
};

CommandResult run_command(const std::string& command);

/// A folder that goes with its scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

  /// Writes a file into it and returns the file's path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};
