#pragma once

namespace tertium::internal {

/// Whether this is a build with sanitizers, which is many times slower: tests whose many
/// repetitions are evidence about numbers, not about memory, may do with fewer there.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace tertium::internal
