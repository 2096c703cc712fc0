#pragma once

#include <string>

/// What a shell command printed, standard error included, and how it ended.
struct CommandResult {
  std::string output;
  int status;  ///< The exit status; 128 + signal if a signal ended it.
};

CommandResult run_command(const std::string& command);

/// A folder that is deleted at the end of its scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};
