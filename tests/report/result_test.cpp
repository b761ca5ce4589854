#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "tertium/error.hpp"
#include "tertium/report.hpp"
#include "tertium/report/result_folder.hpp"
#include "tertium/version.hpp"
#include "tests/temporary_file.hpp"

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
  view.tree = ResultView::Tree{{{{0, 1, 0.25, 2}}}, {"a", "b\"c"}, 12.5};
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
  view.files = {{"labels.csv", 77, 0xABCDEF}};
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

std::string crc32_of(const std::string& bytes) {
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return fmt::format("{:08x}", sum);
}

TEST(Result, FolderIsWrittenAndReadByTheLibrary) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path("result");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "certificate.json") << "of an earlier result";
  ResultView view = full_view();
  const auto written = write_result(folder / ".", view);
  ASSERT_EQ(written.size(), 2U);  // labels and result: nothing was resampled, nothing proved
  EXPECT_EQ(written.back().name, "result.json");
  EXPECT_FALSE(std::filesystem::exists(folder / "certificate.json"));
  view.files = {written.front()};
  EXPECT_EQ(result_as_json(read_result(folder)), result_as_json(view));
  EXPECT_EQ(result_as_json(view) + "\n", file_bytes(folder / "result.json"));
  EXPECT_THROW(read_result(folder / "elsewhere"), InputError);
  // A proof comes back with its result, and is written again.
  ResultView proved = view;
  proved.certificate_file = "a proof";
  EXPECT_EQ(write_result(folder, proved).size(), 3U);
  EXPECT_EQ(read_result(folder).certificate_file, "a proof");
  write_result(folder, read_result(folder));
  EXPECT_TRUE(std::filesystem::exists(folder / "certificate.json"));
}

TEST(Result, KnowsItsFilesByTheirChecksums) {
  const TemporaryFolder temporary;
  ResultView view = full_view();
  view.certificate_file = "a proof";
  view.resampled = {{0, 1, -1}, {0, 0, -1}};
  write_result(temporary.path("result"), view, true);
  const auto json = nlohmann::json::parse(file_bytes(temporary.path("result/result.json")));
  std::vector<std::string> names;
  for (const auto& file : json["files"]) {
    const std::string bytes =
        file_bytes(temporary.path("result/" + file["name"].get<std::string>()));
    EXPECT_EQ(file["bytes"], bytes.size());
    EXPECT_EQ(file["crc32"], crc32_of(bytes));
    names.push_back(file["name"]);
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("labels.csv", "spreadsheet.csv", "pairs.npy",
                                                     "certificate.json"));
}

TEST(Result, WithFilesOfAnotherOneIsRefused) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path("result");
  ResultView view = full_view();
  view.certificate_file = "a proof";
  for (const char* name : {"labels.csv", "certificate.json"}) {
    write_result(folder, view);
    EXPECT_NO_THROW(read_result(folder));
    std::ofstream(folder + "/" + name, std::ios::app) << "x";
    EXPECT_THAT([&] { read_result(folder); },
                ThrowsMessage<InputError>(::testing::AllOf(HasSubstr(name), HasSubstr("mixture"))));
    std::filesystem::remove(folder + "/" + name);
    EXPECT_THAT([&] { read_result(folder); }, ThrowsMessage<InputError>(HasSubstr("mixture")));
  }
  write_result(folder, view);
  std::filesystem::remove(folder + "/result.json");
  EXPECT_THAT([&] { read_result(folder); }, ThrowsMessage<InputError>(HasSubstr("killed")));
}

TEST(Result, NamesForSpreadsheetsAreNoFormulas) {
  ResultView view;
  view.items = {"=1+1", "-5", "-x", "+1 555", "@sum", "\tx", "plain", "a=b", "\uFF1Dx"};
  view.labels.resize(view.items.size());
  view.confidence.resize(view.items.size());
  EXPECT_EQ(count_formulas(view.items), 6U);
  EXPECT_EQ(
      labels_for_spreadsheet(view),
      "\uFEFFitem,cluster,confidence\n'=1+1,,\n-5,,\n'-x,,\n\"'+1 555\",,\n'@sum,,\n\"'\tx\",,\n"
      "plain,,\na=b,,\n'\uFF1Dx,,\n");
  EXPECT_THAT(labels_as_csv(view), HasSubstr("\n=1+1,,\n-5,,\n-x,,\n"));
}

TEST(Result, LabelsAreOneRowPerItem) {
  EXPECT_EQ(labels_as_csv(full_view()),
            "item,cluster,confidence\na,1,0.2500\n\"b\"\"c\",2,0.5000\nd,,\n");
}

}  // namespace
}  // namespace tertium::internal
