#pragma once

/// Compiles a function for several instruction sets, chosen when the program starts. The order of
/// sums is the same in all of them and nothing is fused, so that the result is, too.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TERTIUM_FOR_EVERY_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TERTIUM_FOR_EVERY_PROCESSOR
#endif
