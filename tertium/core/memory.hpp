#pragma once

namespace tertium::internal {

/// Bytes of memory that this machine has.
double physical_memory();

/// Throws InputError if `bytes` are more than the machine has: `what` says what they are for,
/// `remedy` what the user can do.
void check_memory(double bytes, const char* what, const char* remedy);

}  // namespace tertium::internal
