#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tertium::internal {

/// A folder that is open, so that it is the same one until the end, however it is renamed.
class OpenFolder {
 public:
  /// Throws InputError if there is none; `output` is what was to be written there.
  OpenFolder(const std::string& folder, const std::string& output);
  ~OpenFolder();
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Waits until all that was renamed in the folder is on the disk.
  void sync() const;

 private:
  int descriptor_;
};

/// A name in a folder for something that has not got its own yet, or has lost it: what is there
/// when this goes is removed. All such names begin with ".tertium.part-", so that what a killed run
/// has left is known to be ours.
class TemporaryName {
 public:
  explicit TemporaryName(std::shared_ptr<const OpenFolder> folder);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::shared_ptr<const OpenFolder> folder_;
  std::string text_;
};

/// Removes what all living temporary names stand for. For the handler of a signal that ends the
/// program: calls nothing but unlinkat.
void remove_temporary_files() noexcept;

/// Whether this is a temporary name, of this run or another one.
bool is_temporary_name(std::string_view name);

/// Removes what runs that were killed have left in the folder. Files of living ones, which hold a
/// lock on them, stay; so does everything while somebody replaces files there, and where the file
/// system knows no locks.
void remove_leftovers(const OpenFolder& folder) noexcept;

}  // namespace tertium::internal
