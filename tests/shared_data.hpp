#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace tertium::internal {

/// Folder with the real data sets: TERTIUM_DATA, or ../shared/data beside the repository.
inline std::string shared_data_folder() {
  if (const char* folder = std::getenv("TERTIUM_DATA")) return folder;
  return std::string(TERTIUM_SOURCE_DIR) + "/../shared/data";
}

/// Base of tests on real data: without the data they are listed as skipped, with the reason.
class SharedData : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(shared_data_folder())) {
      GTEST_SKIP() << "no data sets at " << shared_data_folder()
                   << "; provide them with TERTIUM_DATA=DIR";
    }
  }

  static std::string data(const std::string& file) { return shared_data_folder() + "/" + file; }
};

}  // namespace tertium::internal
