#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tertium/error.hpp"
#include "tertium/report.hpp"
#include "tertium/report/result_folder.hpp"
#include "tertium/version.hpp"

namespace tertium::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A view in which every part that may be missing is there, each number another one.
ResultView full_view() {
  ResultView view;
  view.program_version = version;
  view.inputs = {{"answers.csv", 1234, 0xDEADBEEF}, {"standard input", 7, 1}};
  view.options = {{"--clusters", "2-6"}, {"--where", "a=b"}};
  view.seed = 18446744073709551615U;
  view.k = 2;
  view.chosen_by = "theta";
  view.reason = "chosen by SPUR (largest theta)";
  view.method = "auto";
  view.similarity = "adds4";
  view.quadruplets = true;
  view.comparisons = 99;
  view.items = {"a", "b\"c", "d"};
  view.labels = {1, 2, std::nullopt};
  view.confidence = {0.25, 0.5, std::nullopt};
  view.clusters = {{0.25, {"a"}}, {0.5, {"b\"c"}}};
  view.left_out = {{"d", "no answer links it with any other item"}};
  view.objective = 1.5;
  view.upper_bound = 1.75;
  view.gap = 1.0 / 6;
  view.certificate = Certificate{Verdict::undecided, 3.5, 2.5, Evidence::estimated, 0.125};
  view.consensus = ResultView::Consensus{1, 1.625};
  view.spur = {{2, std::nullopt, 0.9, true, 1.5, 1.75, false},
               {3, 12.5, std::nullopt, false, 2.5, std::nullopt, true}};
  view.spur_range = ResultView::SpurRange{1, 2, 3.5, std::nullopt, 2, 6};
  view.heldout =
      ResultView::Heldout{3, 0.75, 40, {{1, -0.6931, 0.01, 0, 0}, {2, -0.5, 0.02, 40, 30}}};
  view.repeat_agreement = 0.7;
  view.ceiling = 0.8;
  view.null_test = ResultView::NullTest{0.005, 199, 10.5, 5.5, 7.5};
  view.bootstrap = ResultView::Confidence{100, true, 0.9, 0.375, 2, {1, 0.1, 0.1, 1}};
  ResultView::AnswerNeed need;
  need.answers = 99;
  need.signal = 0.5;
  need.theorem = 1000;
  need.for_proof = 2000;
  view.need = need;
  view.truth = ResultView::Truth{0.5, 0.25, 2, 3};
  view.warnings = {"one", "two"};
  view.seconds = 0.5;
  return view;
}

TEST(Result, IsReadAsItWasWritten) {
  const std::string text = result_as_json(full_view());
  EXPECT_EQ(result_as_json(result_from_json(text, "r.json")), text);
  EXPECT_EQ(result_as_text(result_from_json(text, "r.json"), false),
            result_as_text(full_view(), false));
}

TEST(Result, IsReadWhereNothingWasComputed) {
  ResultView view;
  view.items = {"a", "b"};
  view.labels = {1, 1};
  view.confidence = {std::nullopt, std::nullopt};
  view.clusters = {{std::nullopt, {"a", "b"}}};
  view.k = 1;
  const std::string text = result_as_json(view);
  EXPECT_EQ(result_as_json(result_from_json(text, "r.json")), text);
}

TEST(Result, OfANewerVersionIsRefusedWithARemedy) {
  ResultView view = full_view();
  view.version = result_version + 1;
  const std::string text = result_as_json(view);
  EXPECT_THAT([&] { result_from_json(text, "r.json"); },
              ThrowsMessage<InputError>(HasSubstr("written by a newer tertium")));
}

TEST(Result, ThatIsDamagedIsRefused) {
  const auto whole = nlohmann::ordered_json::parse(result_as_json(full_view()));
  for (const auto& [key, value] : whole.items()) {
    auto part = whole;
    part.erase(key);
    if (key == "null_p_value") continue;  // stands in null_test, too
    EXPECT_THROW(result_from_json(part.dump(), "r.json"), InputError) << key;
  }
  for (const char* text : {"", "{", "[]", "{}", "null", "{\"format\": 3}"}) {
    EXPECT_THROW(result_from_json(text, "r.json"), InputError) << text;
  }
}

TEST(Result, FolderIsWrittenAndReadByTheLibrary) {
  const auto folder = std::filesystem::temp_directory_path() / "tertium_result_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "certificate.json") << "of an earlier result";
  const ResultView view = full_view();
  const auto written = write_result(folder / ".", view);
  EXPECT_EQ(written.size(), 2U);  // labels and result: nothing was resampled, nothing proved
  EXPECT_FALSE(std::filesystem::exists(folder / "certificate.json"));
  EXPECT_EQ(result_as_json(read_result(folder)), result_as_json(view));
  EXPECT_THROW(read_result(folder / "elsewhere"), InputError);
  // A proof comes back with its result, and is written again.
  ResultView proved = view;
  proved.certificate_file = "a proof";
  EXPECT_EQ(write_result(folder, proved).size(), 3U);
  EXPECT_EQ(read_result(folder).certificate_file, "a proof");
  write_result(folder, read_result(folder));
  EXPECT_TRUE(std::filesystem::exists(folder / "certificate.json"));
  std::filesystem::remove_all(folder);
}

TEST(Result, LabelsAreOneRowPerItem) {
  EXPECT_EQ(labels_as_csv(full_view()),
            "item,cluster,confidence\na,1,0.2500\n\"b\"\"c\",2,0.5000\nd,,\n");
}

}  // namespace
}  // namespace tertium::internal
