#include "tertium/core/unreadable_file.hpp"

#include <cerrno>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A folder with some files.
class UnreadableFile : public testing::Test {
 protected:
  UnreadableFile() {
    std::filesystem::create_directory(folder_.path("lab"));
    for (const char* name : {"answers.csv", "notes.txt", "lab/labels.csv", ".hidden"}) {
      files_.push_back(folder_.file(name, "x"));
    }
  }

  [[nodiscard]] std::string says(const std::string& name, int error) const {
    return unreadable_file(folder_.path(name), error).what();
  }

  TemporaryFolder folder_;
  std::vector<std::string> files_;
};

TEST_F(UnreadableFile, ThatIsMissingIsASentenceWithASimilarName) {
  EXPECT_THAT(says("answrs.csv", ENOENT),
              AllOf(HasSubstr("answrs.csv: found no such file; expected a file that exists"),
                    HasSubstr("Did you mean"), HasSubstr("answers.csv'?")));
  EXPECT_THAT(says("elephants.json", ENOENT), Not(HasSubstr("Did you mean")));
}

TEST_F(UnreadableFile, InAMissingFolderNamesTheFolder) {
  EXPECT_THAT(says("lap/deep/labels.csv", ENOENT),
              AllOf(HasSubstr("no folder"), HasSubstr("lap'"), HasSubstr("lab'?")));
}

TEST_F(UnreadableFile, ThatIsADirectoryListsWhatIsInIt) {
  EXPECT_THAT(says("", EISDIR), AllOf(HasSubstr("found a directory; expected a file"),
                                      HasSubstr("answers.csv, notes.txt"), Not(HasSubstr("hidden")),
                                      Not(HasSubstr("lab,"))));
}

TEST_F(UnreadableFile, OfAllOtherKindsSaysWhatToDo) {
  EXPECT_THAT(says("answers.csv", EACCES), HasSubstr("not permitted to read it"));
  EXPECT_THAT(says("answers.csv/x", ENOTDIR), HasSubstr("a file where a folder should be"));
  EXPECT_THAT(says("answers.csv", EIO), HasSubstr("Input/output error"));
  EXPECT_STREQ(unreadable_file("", ENOENT).what(),
               "found an empty file name; expected the name of a file to read");
}

}  // namespace
}  // namespace tertium::internal
