#include "tertium/core/output_guard.hpp"

#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* certificate_start = "{\n  \"format\": \"tertium certificate\",\n";
constexpr const char* result_start = "{\n  \"format\": \"tertium result\",\n";

class OutputGuards : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const { return folder_.path(name); }

  std::string file(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(at(name)).parent_path());
    return folder_.file(name, text);
  }

  /// What the guard says against an output, or nothing.
  static std::string objection(OutputGuard& guard, const std::string& path, FileKind kind) {
    try {
      guard.check("--flag", path, kind);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  static std::string objection(const std::string& path, FileKind kind, bool force = false) {
    OutputGuard guard(force);
    return objection(guard, path, kind);
  }

  [[nodiscard]] std::string folder_objection(const std::string& name, bool force = false,
                                             const std::string& input = "") const {
    constexpr std::array<FolderFile, 3> files = {{{"labels.csv", FileKind::cluster_labels, true},
                                                  {"result.json", FileKind::cluster_result, true},
                                                  {"pairs.npy", FileKind::npy, false}}};
    OutputGuard guard(force);
    guard.protect(input);
    try {
      guard.check_folder("-o", at(name), files);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(OutputGuards, RefuseAnInputByEveryNameAndAlsoByForce) {
  const std::string input = file("raw.csv", "anchor,near,far\n");
  std::filesystem::create_symlink("raw.csv", at("link.csv"));
  std::filesystem::create_hard_link(input, at("hard.csv"));
  std::filesystem::create_directory_symlink(at("."), at("loop"));
  for (const char* name : {"raw.csv", "./raw.csv", "link.csv", "hard.csv", "loop/raw.csv"}) {
    for (const bool force : {false, true}) {
      OutputGuard guard(force);
      guard.protect(input);
      EXPECT_THAT(objection(guard, at(name), FileKind::answers),
                  AllOf(HasSubstr("it is an input"), HasSubstr("Use another --flag")))
          << name;
    }
  }
}

TEST_F(OutputGuards, AllowNewFilesEmptyFilesStandardOutputAndDevices) {
  for (const std::string& path : {at("new.json"), file("empty.json", ""), std::string("-"),
                                  std::string("/dev/null"), std::string("new.json")}) {
    EXPECT_EQ(objection(path, FileKind::certificate), "") << path;
  }
}

TEST_F(OutputGuards, TellAnEarlierOutputFromSomebodysFile) {
  const std::string mine = file("mine.json", certificate_start);
  EXPECT_EQ(objection(mine, FileKind::certificate), "");
  const std::string other = file("other.json", "{\"answers\": []}");
  EXPECT_THAT(objection(other, FileKind::certificate),
              AllOf(HasSubstr("not a certificate"), HasSubstr("--force")));
  EXPECT_EQ(objection(other, FileKind::certificate, true), "");
  const std::string answers = file("raw.csv", "anchor,near,far\n0,1,2\n");
  for (const FileKind kind :
       {FileKind::snapshot, FileKind::npy, FileKind::matrix_market, FileKind::similarity_table,
        FileKind::item_names, FileKind::planted_clusters, FileKind::certificate,
        FileKind::cluster_labels, FileKind::cluster_result, FileKind::svg}) {
    EXPECT_NE(objection(answers, kind), "") << to_string(kind);
  }
}

TEST_F(OutputGuards, RefuseTwoOutputsInOneFile) {
  OutputGuard guard(true);
  EXPECT_EQ(objection(guard, at("x.npy"), FileKind::npy), "");
  EXPECT_THAT(objection(guard, at("./x.npy"), FileKind::npy), HasSubstr("two outputs"));
  EXPECT_EQ(objection(guard, at("y.npy"), FileKind::npy), "");
}

TEST_F(OutputGuards, RefuseWhatCannotBeWritten) {
  EXPECT_THAT(objection(at("no/such/x.npy"), FileKind::npy), HasSubstr("no folder"));
  EXPECT_THAT(objection(at("."), FileKind::npy), HasSubstr("a directory"));
  EXPECT_THAT(objection("", FileKind::npy), HasSubstr("--flag ''"));
}

TEST_F(OutputGuards, AllowFoldersThatAreNewEmptyOrHoldAnEarlierResult) {
  EXPECT_EQ(folder_objection("new/below"), "");
  std::filesystem::create_directory(at("empty"));
  file("hidden/.DS_Store", "x");
  file("labels/labels.csv", "item,cluster,confidence\n");
  file("labels/notes.txt", "mine");
  file("result/result.json", result_start);
  for (const char* name : {"empty", "hidden", "labels", "result"}) {
    EXPECT_EQ(folder_objection(name), "") << name;
  }
}

TEST_F(OutputGuards, RefuseFoldersOfOthersUnlessForced) {
  file("theirs/notes.txt", "mine");
  EXPECT_THAT(folder_objection("theirs"), AllOf(HasSubstr("notes.txt"), HasSubstr("--force")));
  EXPECT_EQ(folder_objection("theirs", true), "");
  file("mixed/result.json", result_start);
  file("mixed/labels.csv", "stimulus;label\n");
  EXPECT_THAT(folder_objection("mixed"), HasSubstr("labels.csv"));
  EXPECT_EQ(folder_objection("mixed", true), "");
  file("file", "x");
  EXPECT_THAT(folder_objection("file"), HasSubstr("found a file; expected a folder"));
  EXPECT_THAT(folder_objection("file/below"), HasSubstr("is a file"));
}

TEST_F(OutputGuards, RefuseAFolderWhoseFilesAreInputs) {
  const std::string input = file("lab/labels.csv", "item,cluster,confidence\n");
  for (const bool force : {false, true}) {
    EXPECT_THAT(folder_objection("lab", force, input), HasSubstr("it is an input"));
  }
}

}  // namespace
}  // namespace tertium::internal
