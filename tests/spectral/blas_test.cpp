#include "tertium/spectral/blas.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "tertium/run.hpp"

namespace tertium::internal {
namespace {

/// Takes a variable out of the environment for a while.
class Unset {
 public:
  explicit Unset(const char* variable) : variable_(variable) {
    if (const char* value = std::getenv(variable)) before_ = value;
    ::unsetenv(variable);
  }
  ~Unset() {
    if (before_) ::setenv(variable_, before_->c_str(), 1);
  }
  Unset(const Unset&) = delete;
  Unset& operator=(const Unset&) = delete;

 private:
  const char* variable_;
  std::optional<std::string> before_;
};

std::optional<std::string> wanted(const std::string& variable) {
  for (const BlasSetting& setting : better_blas_settings()) {
    if (setting.variable == variable) return setting.value;
  }
  return std::nullopt;
}

TEST(BlasSettings, AskForOneThreadUnlessSomebodyHasChosen) {
  const Unset threads("OPENBLAS_NUM_THREADS");
  if (blas_kernels().empty()) GTEST_SKIP() << "not OpenBLAS";
  EXPECT_EQ(wanted("OPENBLAS_NUM_THREADS"), "1");
  ::setenv("OPENBLAS_NUM_THREADS", "4", 1);
  EXPECT_EQ(wanted("OPENBLAS_NUM_THREADS"), std::nullopt);
  ::unsetenv("OPENBLAS_NUM_THREADS");
}

TEST(BlasSettings, AskForOtherKernelsOnlyInPlaceOfTheSlowestOnes) {
  const Unset kernels("OPENBLAS_CORETYPE");
  if (blas_kernels() != "Prescott") {
    EXPECT_EQ(wanted("OPENBLAS_CORETYPE"), std::nullopt);
  }
  ::setenv("OPENBLAS_CORETYPE", "PRESCOTT", 1);
  EXPECT_EQ(wanted("OPENBLAS_CORETYPE"), std::nullopt);
  ::unsetenv("OPENBLAS_CORETYPE");
}

TEST(BlasSettings, AreNoneWithAnotherBlas) {
  if (!blas_kernels().empty()) GTEST_SKIP() << "OpenBLAS";
  EXPECT_TRUE(better_blas_settings().empty());
}

}  // namespace
}  // namespace tertium::internal
