#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/read.hpp"
#include "tertium/reading/text_form.hpp"

namespace tertium::internal {

/// The bytes of a file or of standard input ("-"), unpacked if they are gzip. One pass, no seeking.
class ByteSource {
 public:
  /// The first bytes are looked at here: waiting for them may be interrupted as well. `read_limit`
  /// is how much of a pipe or of gzip may be taken where it has to be read whole (read_whole).
  explicit ByteSource(std::string path, std::function<void()> on_interrupt = {},
                      std::uint64_t read_limit = default_read_limit);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills `buffer` as far as there are bytes. Less than `size` means the end was reached.
  std::size_t read(char* buffer, std::size_t size);

  /// The next bytes, at most `size` of them, without taking them.
  std::string_view peek(std::size_t size);

  /// What comes from here on, also what was peeked at, is text of this form: it comes as UTF-8 with
  /// LF. At most once, before anything was read.
  void translate(const TextForm& form);

  /// Called when a signal interrupts waiting for bytes; may throw to give up.
  void on_interrupt(std::function<void()> callback) { on_interrupt_ = std::move(callback); }

  /// Name for messages: the path, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Bytes of the file taken so far, and its size (0 for a pipe): for progress.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// A regular file can be read again; what comes through a pipe cannot.
  [[nodiscard]] bool is_regular() const { return regular_; }
  /// Its size says how many bytes there are: a regular file that is not packed.
  [[nodiscard]] bool is_plain() const { return sized_ && !inflater_; }
  [[nodiscard]] std::uint64_t read_limit() const { return read_limit_; }
  /// CRC-32 of the bytes taken so far. Only of what cannot be read again.
  [[nodiscard]] std::uint32_t checksum() const { return checksum_; }

 private:
  void wait_for_bytes() const;
  std::size_t read_raw(char* buffer, std::size_t size);
  std::size_t read_unpacked(char* buffer, std::size_t size);
  std::size_t read_translated(char* buffer, std::size_t size);
  std::size_t read_gzip(char* buffer, std::size_t size);

  struct Inflater;  // keeps zlib out of this header

  std::function<void()> on_interrupt_;
  std::string name_;
  std::uint64_t read_limit_;
  int descriptor_ = -1;
  std::atomic<std::uint64_t> position_ = 0;  // progress asks while another thread reads
  std::uint64_t size_ = 0;
  bool regular_ = false;
  bool sized_ = false;
  std::uint32_t checksum_ = 0;
  std::string magic_;                   // the first raw bytes, when they turned out not to be gzip
  std::string peeked_;                  // unpacked bytes that were peeked at and not taken yet
  std::unique_ptr<Inflater> inflater_;  // only for gzip
  std::optional<TextForm> form_;        // that is translated
  std::string translated_;              // and was not taken yet, from `taken_` on
  std::size_t taken_ = 0;
};

/// Lets the caller of the run stop it while bytes of standard input or of a pipe are waited for.
void stop_while_waiting(const std::vector<InputFile>& files, Run& run);

}  // namespace tertium::internal
