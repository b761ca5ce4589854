#include "tertium/core/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// Replacing files takes a moment: who holds a folder for longer does something else.
constexpr auto longest_wait = std::chrono::seconds(10);
constexpr auto between_tries = std::chrono::milliseconds(5);

/// While it lives, nobody else replaces files in the folder. Where the file system knows no locks
/// on folders, it is as if there was nobody else.
class FolderLock {
 public:
  FolderLock(const OpenFolder& folder, const std::string& output)
      : descriptor_(folder.descriptor()) {
    const auto end = std::chrono::steady_clock::now() + longest_wait;
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 &&
           (errno == EWOULDBLOCK || errno == EINTR)) {
      if (std::chrono::steady_clock::now() > end) {
        throw InputError({{output},
                          "that another program keeps its folder locked",
                          "a folder that nobody else writes to",
                          "Wait for it to end, or choose another place"});
      }
      std::this_thread::sleep_for(between_tries);
    }
  }
  ~FolderLock() { ::flock(descriptor_, LOCK_UN); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

/// Files on the way from old to new. Unless it is kept, everything is put back when it goes.
class Replacement {
 public:
  Replacement() = default;
  ~Replacement() {
    if (!kept_) put_back();
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// Takes what is at the name out of the way, if anything is.
  void set_aside(const OutputFile& file, const std::string& name) {
    Step step{file.folder_, name, std::make_unique<TemporaryName>(file.folder_), false};
    const int folder = file.folder_->descriptor();
    if (::renameat(folder, name.c_str(), folder, step.other->text().c_str()) == 0) {
      steps_.push_back(std::move(step));
    } else if (errno != ENOENT) {
      file.fail("replace");
    }
  }

  /// Gives a finished file its name, where nothing is any more.
  void put(OutputFile& file) {
    const int folder = file.folder_->descriptor();
    if (::renameat(folder, file.temporary_->text().c_str(), folder, file.name_.c_str()) != 0) {
      file.fail("rename");
    }
    steps_.push_back({file.folder_, file.name_, std::move(file.temporary_), true});
  }

  void keep() { kept_ = true; }

 private:
  struct Step {
    std::shared_ptr<const OpenFolder> folder;
    std::string name;
    std::unique_ptr<TemporaryName> other;  // where the old file went, or the new one came from
    bool is_new;
  };

  /// Backwards, and so the file that vouches for the others comes last: only if they all are back.
  void put_back() noexcept {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      const int folder = step->folder->descriptor();
      const int failed = step->is_new ? ::unlinkat(folder, step->name.c_str(), 0)
                                      : ::renameat(folder, step->other->text().c_str(), folder,
                                                   step->name.c_str());
      if (failed != 0) return;
    }
  }

  std::vector<Step> steps_;
  bool kept_ = false;
};

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  std::error_code none;
  const auto status = std::filesystem::status(path_, none);
  if (std::filesystem::is_directory(status)) {
    throw InputError({{path_}, "a directory", "the name of a file to write", ""});
  }
  // A device or a pipe (/dev/stdout, /dev/null) cannot be renamed onto: written directly.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("open");
    return;
  }
  create();
}

void OutputFile::create() {
  const std::filesystem::path path(path_);
  name_ = path.filename().string();
  const std::string folder = path.parent_path().string();
  folder_ = std::make_shared<OpenFolder>(folder.empty() ? "." : folder, path_);
  remove_leftovers(*folder_);
  while (true) {
    auto name = std::make_unique<TemporaryName>(folder_);
    const int descriptor = ::openat(folder_->descriptor(), name->text().c_str(),
                                    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) fail("create");
    // The lock tells others that somebody lives who needs the file. Before it was there, one of
    // them may have taken the file for a leftover and removed it.
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && status.st_nlink > 0) {
      temporary_ = std::move(name);
      file_ = ::fdopen(descriptor, "wb");
      if (file_ == nullptr) fail("open");
      return;
    }
    ::close(descriptor);
  }
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
  bytes_ += bytes.size();
  checksum_ = static_cast<std::uint32_t>(
      ::crc32_z(checksum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void OutputFile::finish() {
  if (std::fflush(file_) != 0) fail("write");
  if (has_place() && ::fsync(::fileno(file_)) != 0) fail("write");
}

void OutputFile::commit() {
  OutputFile* const only = this;
  commit_together({&only, 1});
}

void OutputFile::fail(const char* what) const {
  const std::string why = std::strerror(errno);
  throw InputError({path_ == "-" ? "standard output" : path_,
                    std::string("that it is impossible to ") + what + " it (" + why + ")",
                    "a file that can be written", "Choose another place with -o"});
}

void commit_together(std::span<OutputFile* const> files,
                     std::span<const std::string_view> obsolete) {
  for (OutputFile* file : files) file->finish();
  std::vector<OutputFile*> placed;
  std::copy_if(files.begin(), files.end(), std::back_inserter(placed),
               [](const OutputFile* file) { return file->has_place(); });
  if (placed.empty()) return;
  OutputFile& last = *placed.back();
  const FolderLock lock(*last.folder_, last.path_);
  if (placed.size() == 1 && obsolete.empty()) {
    // Alone it is replaced in one step, without a moment in which there is none.
    const int folder = last.folder_->descriptor();
    if (::renameat(folder, last.temporary_->text().c_str(), folder, last.name_.c_str()) != 0) {
      last.fail("rename");
    }
    last.folder_->sync();
    return;
  }
  Replacement replacement;
  replacement.set_aside(last, last.name_);
  last.folder_->sync();
  for (OutputFile* file : std::span(placed).first(placed.size() - 1)) {
    replacement.set_aside(*file, file->name_);
    replacement.put(*file);
    file->folder_->sync();
  }
  for (const std::string_view name : obsolete) replacement.set_aside(last, std::string(name));
  last.folder_->sync();
  replacement.put(last);
  last.folder_->sync();
  replacement.keep();
}

}  // namespace tertium::internal
