#include "tertium/reading/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tertium/core/unreadable_file.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t packed_buffer_size = 1 << 18;
constexpr int gzip_window_bits = 15 + 16;  // zlib's way to ask for the gzip format

/// A signal may come just before the program waits, and would then wake nobody.
constexpr int milliseconds_between_looks = 100;

}  // namespace

struct ByteSource::Inflater {
  Inflater() : packed(packed_buffer_size) {
    if (inflateInit2(&stream, gzip_window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
  std::vector<char> packed;
  bool member_open = true;
};

ByteSource::ByteSource(std::string path, std::function<void()> on_interrupt,
                       std::uint64_t read_limit)
    : on_interrupt_(std::move(on_interrupt)),
      name_(path == "-" ? "standard input" : path),
      read_limit_(read_limit) {
  // A named pipe is not waited for here but where it is read.
  while (descriptor_ < 0) {
    descriptor_ =
        path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0 && errno != EINTR) throw unreadable_file(path, errno);
    if (descriptor_ < 0 && on_interrupt_) on_interrupt_();
  }
  if (path != "-") ::fcntl(descriptor_, F_SETFL, O_RDONLY);
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    sized_ = true;
    regular_ = path != "-";
  }
  char magic[2] = {};
  const std::size_t got = read_raw(magic, sizeof magic);
  magic_.assign(magic, got);
  if (got == 2 && magic[0] == '\x1f' && magic[1] == '\x8b') {
    magic_.clear();
    inflater_ = std::make_unique<Inflater>();
    std::memcpy(inflater_->packed.data(), magic, 2);
    inflater_->stream.next_in = reinterpret_cast<Bytef*>(inflater_->packed.data());
    inflater_->stream.avail_in = 2;
  }
}

ByteSource::~ByteSource() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

void ByteSource::wait_for_bytes() const {
  pollfd waiting{descriptor_, POLLIN, 0};
  while (::poll(&waiting, 1, on_interrupt_ ? milliseconds_between_looks : -1) <= 0) {
    if (on_interrupt_) on_interrupt_();
  }
}

std::size_t ByteSource::read_raw(char* buffer, std::size_t size) {
  std::size_t filled = std::min(size, magic_.size());
  if (filled > 0) {
    std::memcpy(buffer, magic_.data(), filled);
    magic_.erase(0, filled);
  }
  while (filled < size) {
    if (!sized_) wait_for_bytes();
    const ssize_t got = ::read(descriptor_, buffer + filled, size - filled);
    if (got < 0 && errno == EINTR) {
      if (on_interrupt_) on_interrupt_();
      continue;
    }
    if (got < 0) throw unreadable_file(name_, errno);
    if (got == 0) break;
    if (!regular_) {
      checksum_ = static_cast<std::uint32_t>(
          ::crc32_z(checksum_, reinterpret_cast<const Bytef*>(buffer + filled),
                    static_cast<std::size_t>(got)));
    }
    filled += static_cast<std::size_t>(got);
    position_ += static_cast<std::uint64_t>(got);
  }
  return filled;
}

std::size_t ByteSource::read_gzip(char* buffer, std::size_t size) {
  z_stream& stream = inflater_->stream;
  std::vector<char>& packed = inflater_->packed;
  stream.next_out = reinterpret_cast<Bytef*>(buffer);
  stream.avail_out = static_cast<uInt>(size);
  while (stream.avail_out > 0) {
    if (stream.avail_in == 0) {
      const std::size_t got = read_raw(packed.data(), packed.size());
      if (got == 0) {
        if (inflater_->member_open) {
          throw InputError({{name_}, "gzip data that end too early", "a complete gzip file", ""});
        }
        break;
      }
      stream.next_in = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_in = static_cast<uInt>(got);
    }
    if (!inflater_->member_open) {  // gzip files may be concatenated
      inflateReset(&stream);
      inflater_->member_open = true;
    }
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      inflater_->member_open = false;
    } else if (result != Z_OK) {
      throw InputError({{name_}, "damaged gzip data", "a valid gzip file", ""});
    }
  }
  return size - stream.avail_out;
}

std::string_view ByteSource::peek(std::size_t size) {
  if (peeked_.size() < size) {
    const std::size_t before = peeked_.size();
    peeked_.resize(size);
    peeked_.resize(before + read_translated(peeked_.data() + before, size - before));
  }
  return std::string_view(peeked_).substr(0, size);
}

std::size_t ByteSource::read(char* buffer, std::size_t size) {
  const std::size_t from_peeked = std::min(size, peeked_.size());
  std::memcpy(buffer, peeked_.data(), from_peeked);
  peeked_.erase(0, from_peeked);
  if (from_peeked == size) return size;
  return from_peeked + read_translated(buffer + from_peeked, size - from_peeked);
}

void ByteSource::translate(const TextForm& form) {
  form_ = form;
  form_->translate(peeked_, false, translated_);
  peeked_.clear();
}

std::size_t ByteSource::read_translated(char* buffer, std::size_t size) {
  if (!form_) return read_unpacked(buffer, size);
  std::size_t filled = 0;
  while (true) {
    const std::size_t ready = std::min(size - filled, translated_.size() - taken_);
    std::memcpy(buffer + filled, translated_.data() + taken_, ready);
    filled += ready;
    taken_ += ready;
    if (filled == size) return filled;
    translated_.clear();
    taken_ = 0;
    constexpr std::size_t step = 1U << 16U;
    std::string bytes(step, '\0');
    bytes.resize(read_unpacked(bytes.data(), step));
    const bool last = bytes.size() < step;
    form_->translate(bytes, last, translated_);
    if (last && translated_.empty()) return filled;
  }
}

std::size_t ByteSource::read_unpacked(char* buffer, std::size_t size) {
  if (!inflater_) return read_raw(buffer, size);
  constexpr std::size_t largest_step = 1U << 30U;  // zlib counts in 32 bits
  std::size_t filled = 0;
  while (filled < size) {
    const std::size_t step = std::min(size - filled, largest_step);
    const std::size_t got = read_gzip(buffer + filled, step);
    filled += got;
    if (got < step) break;
  }
  return filled;
}

void stop_while_waiting(const std::vector<InputFile>& files, Run& run) {
  for (const InputFile& file : files) {
    std::error_code none;
    const auto status = std::filesystem::status(file.path, none);
    const bool waits = file.path == "-" || std::filesystem::is_fifo(status) ||
                       std::filesystem::is_character_file(status);
    if (waits) file.open([&run] { run.check(); });
  }
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::shared_ptr<ByteSource> InputFile::open(std::function<void()> on_interrupt) const {
  if (kept_open_->source) return kept_open_->source;
  auto source = std::make_shared<ByteSource>(path, std::move(on_interrupt), read_limit);
  if (!source->is_regular()) kept_open_->source = source;
  return source;
}

}  // namespace tertium
