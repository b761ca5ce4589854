#include "tertium/core/temporary_name.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <random>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view prefix = ".tertium.part-";
/// The rest of a name: as many characters as fit a word that is read and written at once, since the
/// handler of a signal may see a name at any moment.
constexpr std::size_t token_size = sizeof(std::uint64_t);
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";

std::string random_token() {
  std::random_device device;
  std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
  std::string token(token_size, ' ');
  for (char& letter : token) letter = letters[any(device)];
  return token;
}

/// A living name. Folder and token may belong to different names if one ends while another begins:
/// such a name does not exist, and removing it does no harm.
struct Living {
  std::atomic<int> folder{-1};
  std::atomic<std::uint64_t> token{0};  // 0: this place is free
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<int>::is_always_lock_free);

/// More outputs than this at once only lose the cleaning at a signal.
constexpr std::size_t most_living = 64;
std::array<Living, most_living> living;

std::uint64_t as_word(std::string_view name) {
  std::uint64_t word = 0;
  std::memcpy(&word, name.data() + prefix.size(), token_size);
  return word;
}

void enlist(int folder, std::uint64_t token) {
  for (Living& place : living) {
    std::uint64_t free = 0;
    if (!place.token.compare_exchange_strong(free, token)) continue;
    place.folder = folder;
    return;
  }
}

void strike_out(std::uint64_t token) {
  for (Living& place : living) {
    std::uint64_t mine = token;
    if (place.token.compare_exchange_strong(mine, 0)) return;
  }
}

/// Removes the file unless somebody alive holds it.
void remove_leftover(int folder, const char* name) noexcept {
  const int file = ::openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      ::flock(file, LOCK_EX | LOCK_NB) == 0) {
    ::unlinkat(folder, name, 0);
  }
  ::close(file);
}

}  // namespace

OpenFolder::OpenFolder(const std::string& folder, const std::string& output)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0) return;
  throw InputError({{output},
                    fmt::format("that its folder cannot be opened ({})", std::strerror(errno)),
                    "a folder that exists and can be read",
                    "Choose another place"});
}

OpenFolder::~OpenFolder() { ::close(descriptor_); }

void OpenFolder::sync() const {
  // Not all file systems can; those that cannot keep the order by themselves or not at all.
  ::fsync(descriptor_);
}

TemporaryName::TemporaryName(std::shared_ptr<const OpenFolder> folder)
    : folder_(std::move(folder)), text_(std::string(prefix) + random_token()) {
  enlist(folder_->descriptor(), as_word(text_));
}

TemporaryName::~TemporaryName() {
  ::unlinkat(folder_->descriptor(), text_.c_str(), 0);
  strike_out(as_word(text_));
}

void remove_temporary_files() noexcept {
  std::array<char, prefix.size() + token_size + 1> name{};
  std::memcpy(name.data(), prefix.data(), prefix.size());
  for (const Living& place : living) {
    const std::uint64_t token = place.token;
    if (token == 0) continue;
    std::memcpy(name.data() + prefix.size(), &token, token_size);
    ::unlinkat(place.folder, name.data(), 0);
  }
}

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(prefix) || name.size() != prefix.size() + token_size) return false;
  return name.find_first_not_of(letters, prefix.size()) == std::string_view::npos;
}

void remove_leftovers(const OpenFolder& folder) noexcept {
  // A stream of its own: reading moves the position of the descriptor.
  const int own = ::openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return;
  DIR* entries = ::fdopendir(own);
  if (entries == nullptr) {
    ::close(own);
    return;
  }
  // What is replaced at this moment stands under such a name without a lock of its own.
  if (::flock(own, LOCK_EX | LOCK_NB) == 0) {
    while (const dirent* entry = ::readdir(entries)) {
      if (is_temporary_name(entry->d_name)) remove_leftover(own, entry->d_name);
    }
  }
  ::closedir(entries);
}

}  // namespace tertium::internal
