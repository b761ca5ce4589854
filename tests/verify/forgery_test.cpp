// Certificates that the producer wrote, and thousands that somebody has changed since: the honest
// ones are verified, and none that is verified contradicts what trying all partitions gives.

#include <cmath>
#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/sdp.hpp"
#include "tertium/verify/lanczos.hpp"
#include "tests/sanitized.hpp"
#include "tests/temporary_file.hpp"
#include "tests/verify/claims.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::MatrixXd;
using Eigen::MatrixXi;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

/// TERTIUM_ATTACK=N: N times as many.
int times() {
  const char* given = std::getenv("TERTIUM_ATTACK");
  return given == nullptr ? 1 : std::max(1, std::atoi(given));
}

constexpr int common_multiple = 840;  // of all sizes up to 8

/// The value of every partition, times 840: exact. By labels from 1, numbered as they come.
using Values = std::map<std::vector<int>, std::int64_t>;

Values all_values(const MatrixXi& integers) {
  Values values;
  const auto size = static_cast<std::size_t>(integers.rows());
  std::vector<int> labels(size);
  const auto extend = [&](const auto& self, std::size_t item, int used) -> void {
    if (item < size) {
      for (int a = 1; a <= used + 1; ++a) {
        labels[item] = a;
        self(self, item + 1, std::max(used, a));
      }
      return;
    }
    std::int64_t value = 0;
    for (int a = 1; a <= used; ++a) {
      std::int64_t sum = 0;
      int members = 0;
      for (std::size_t i = 0; i < size; ++i) {
        if (labels[i] != a) continue;
        ++members;
        for (std::size_t j = 0; j < size; ++j) {
          if (labels[j] == a) sum += integers(static_cast<int>(i), static_cast<int>(j));
        }
      }
      value += sum * (common_multiple / members);
    }
    values[labels] = value;
  };
  extend(extend, 0, 0);
  return values;
}

int clusters_of(const std::vector<int>& labels) {
  return *std::max_element(labels.begin(), labels.end());
}

/// Whether some partition shows the claim to be false. Doubles of a moderate size times 840 are
/// exact in 64 bits of mantissa, but for lambda times a number of clusters: two bits less.
bool is_contradicted(const Json& claim, const Values& values) {
  const auto as_exact = [](const Json& number) {
    return static_cast<long double>(number.get<double>()) * common_multiple;
  };
  std::vector<int> own;
  std::map<int, int> first;
  for (const int label : claim["labels"]) {
    own.push_back(first.emplace(label, static_cast<int>(first.size()) + 1).first->second);
  }
  const std::int64_t value = values.at(own);
  const int k = clusters_of(own);
  for (const auto& [labels, other] : values) {
    const int clusters = clusters_of(labels);
    if (claim["claim"] == "bound") {
      const bool by_lambda = claim["program"].contains("lambda");
      if (!by_lambda && claim["program"]["clusters"] != clusters) continue;
      const long double paid = by_lambda ? as_exact(claim["program"]["lambda"]) * clusters : 0;
      if (static_cast<long double>(other) - paid > as_exact(claim["upper_bound"])) return true;
      continue;
    }
    if (labels == own) continue;
    if (clusters == k && other >= value) return true;
    for (const char* end : {"lo", "hi"}) {
      if (claim[end].is_null()) continue;
      if (static_cast<long double>(other - value) >= as_exact(claim[end]) * (clusters - k)) {
        return true;
      }
    }
  }
  return false;
}

SimilarityMatrix similarity_of(const MatrixXi& integers) {
  SimilarityMatrix similarity;
  GivenSums given = given_of(integers);
  similarity.rule = precomputed;
  similarity.items = given.items;
  similarity.mentions.assign(given.items.size(), 0);
  similarity.anchors.assign(given.items.size(), 0);
  static_cast<IntegerTriangle&>(similarity) = given.triangle;
  return similarity;
}

/// A small problem, and what the producer proves about it.
class Instance {
 public:
  explicit Instance(unsigned seed) : random_(seed) {
    const int size = whole(2, 8);
    const int groups = whole(1, size);
    integers = random_integers(size, random_, whole(0, 6));
    const int more = whole(0, 9);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        if (i != j && i % groups == j % groups) integers(i, j) += more;
      }
    }
    values = all_values(integers);
    const SimilarityMatrix similarity = similarity_of(integers);
    SdpProgram program = Clusters{whole(1, size)};
    if (whole(0, 2) == 0) program = Lambda{0.5 * whole(0, 20)};
    SdpOptions options;
    options.keep_dual = true;
    options.most_iterations = 200;
    tertium::Run run({.threads = 1, .seed = seed, .progress = {}});
    const SdpResult result = solve_sdp(similarity, program, options, run);
    write_sdp({"", "", folder.path("c.json")}, similarity, result, program, run);
    text = file_bytes(folder.path("c.json"));
    claim = Json::parse(text);
    claim.erase("checksum");
    if (claim["claim"] == "bound") {
      dual.resize(size, size);
      const std::string bytes = file_bytes(folder.path("c.json.npy"));
      const std::size_t length = static_cast<std::size_t>(size * size) * sizeof(double);
      std::memcpy(dual.data(), bytes.data() + bytes.size() - length, length);
    }
  }

  [[nodiscard]] Verification verify(const std::string& certificate) const {
    tertium::Run run({.threads = 1, .seed = 1, .progress = {}});
    return verify_certificate(certificate, folder.path("."), given_of(integers), {}, run);
  }

  /// One of many things that can be done to a certificate. The text, if it is still JSON.
  std::string mutate() {
    Json fields = claim;
    switch (whole(0, 9)) {
      case 0:
      case 1:
      case 2:
        strengthen(fields);
        break;
      case 3:
        change_number(fields);
        break;
      case 4:
        std::swap(fields["labels"][any_item()], fields["labels"][any_item()]);
        break;
      case 5:
        other_partition(fields);
        break;
      case 6:
        std::swap(fields["items"][any_item()], fields["items"][any_item()]);
        break;
      case 7:
        if (fields["claim"] == "bound") fields["program"] = {{"lambda", real(-20, 20)}};
        break;
      case 8:
        change_dual(fields);
        break;
      default:
        return damaged(sealed(fields));
    }
    return sealed(fields);
  }

  /// Back to what the producer wrote.
  void restore() const {
    if (dual.size() > 0) write_dual(dual);
  }

  TemporaryFolder folder;
  MatrixXi integers;
  Values values;
  std::string text;
  Json claim;  // without its checksum
  MatrixXd dual;

 private:
  int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  double real(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  std::size_t any_item() {
    return static_cast<std::size_t>(whole(0, static_cast<int>(integers.rows()) - 1));
  }
  double step() { return std::pow(10.0, -real(0, 17)); }

  void strengthen(Json& fields) {
    const double share = step();
    const auto move = [&](const char* field, double sign) {
      if (!fields.contains(field) || fields[field].is_null()) return;
      const double was = fields[field];
      fields[field] = was + sign * share * (std::abs(was) + 1);
    };
    move("upper_bound", -1);
    if (whole(0, 1) == 0) move("lo", -1);
    if (whole(0, 1) == 0) move("hi", 1);
  }

  void change_number(Json& fields) {
    const std::vector<const char*> names = {"objective", "lo", "hi", "upper_bound"};
    const char* name = names[static_cast<std::size_t>(whole(0, 3))];
    if (!fields.contains(name) || fields[name].is_null()) return;
    const double was = fields[name];
    const std::vector<double> others = {std::nextafter(was, -1e308),
                                        std::nextafter(was, 1e308),
                                        -was,
                                        1e154,
                                        -1e308,
                                        1e308,
                                        5e-324,
                                        0,
                                        2 * was};
    fields[name] = others[static_cast<std::size_t>(whole(0, static_cast<int>(others.size()) - 1))];
  }

  /// With the value that it has, and the right number of clusters.
  void other_partition(Json& fields) {
    const auto at = std::next(values.begin(), whole(0, static_cast<int>(values.size()) - 1));
    fields["labels"] = at->first;
    Labels labels;
    for (const int label : at->first) labels.push_back(static_cast<std::uint32_t>(label - 1));
    fields["objective"] = value_of(integers, labels);
    if (fields.contains("program") && fields["program"].contains("clusters")) {
      fields["program"] = {{"clusters", clusters_of(at->first)}};
    }
  }

  void change_dual(Json& fields) {
    if (dual.size() == 0) return;
    MatrixXd other = dual;
    const auto i = static_cast<Eigen::Index>(any_item());
    const auto j = static_cast<Eigen::Index>(any_item());
    const std::vector<double> sizes = {1e9, 1e150, 1e154, 1e155, 1e160, 1e308, 1e-160, 0.5};
    const double size =
        sizes[static_cast<std::size_t>(whole(0, static_cast<int>(sizes.size()) - 1))];
    switch (whole(0, 4)) {
      case 0:
        other(i, j) = other(j, i) = real(-1, 5);
        break;
      case 1:
        other *= size;
        break;
      case 2:
        other.diagonal().array() += size;
        break;
      case 3:
        other.array() += size;
        break;
      default:
        other = (other.array() - step()).max(0.0);
    }
    write_dual(other);
    fields["dual_checksum"] = crc32_z(0, reinterpret_cast<const Bytef*>(other.data()),
                                      static_cast<std::size_t>(other.size()) * sizeof(double));
    if (whole(0, 1) == 0) strengthen(fields);
  }

  std::string damaged(std::string bytes) {
    const auto at = static_cast<std::size_t>(whole(0, static_cast<int>(bytes.size()) - 1));
    switch (whole(0, 2)) {
      case 0:
        return bytes.substr(0, at);
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << whole(0, 7)));
        return bytes;
      default: {  // and sealed again
        const std::size_t end = bytes.rfind("\"checksum\"");
        std::string body = bytes.substr(0, end);
        body[at % end] = static_cast<char>(body[at % end] ^ (1 << whole(0, 7)));
        const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
        return body + "\"checksum\":" + std::to_string(checksum) + "}";
      }
    }
  }

  void write_dual(const MatrixXd& matrix) const {
    const auto size = static_cast<std::uint64_t>(matrix.rows());
    const std::string bytes(reinterpret_cast<const char*>(matrix.data()),
                            size * size * sizeof(double));
    (void)folder.file("c.json.npy", npy_header("<f8", size, size) + bytes);
  }

  std::mt19937 random_;
};

TEST(Forgery, NoVerifiedCertificateContradictsTheTruth) {
  const int instances = (sanitized ? 20 : 200) * times();
  constexpr int mutations = 20;
  int changed = 0;
  int verified = 0;
  int refused = 0;
  for (int number = 0; number < instances; ++number) {
    Instance instance(static_cast<unsigned>(number));
    const Verification honest = instance.verify(instance.text);
    ASSERT_TRUE(honest.verified) << honest.reason << instance.text;
    ASSERT_FALSE(is_contradicted(instance.claim, instance.values)) << instance.text;
    for (int mutation = 0; mutation < mutations; ++mutation) {
      const std::string text = instance.mutate();
      changed += text != sealed(instance.claim) ? 1 : 0;
      const Verification found = instance.verify(text);
      instance.restore();
      if (!found.verified) {
        ++refused;
        EXPECT_FALSE(found.reason.empty());
        continue;
      }
      ++verified;
      EXPECT_FALSE(is_contradicted(Json::parse(text), instance.values)) << text;
    }
  }
  EXPECT_GE(changed, 10 * instances);
  EXPECT_GE(verified, instances);  // what claims less, or nothing else, is as good
  EXPECT_GE(refused, 4 * instances);
}

// ---- the random start

/// Large enough that few steps of the Lanczos method do not see all eigenvalues.
Verification tested(const Planted& planted, std::optional<std::uint64_t> seed) {
  VerifyOptions options;
  options.largest_dense = 0;
  options.seed = seed;
  tertium::Run run;
  return verify_certificate(sealed(optimal_claim(planted.integers, planted.labels, 250, 300)), ".",
                            given_of(planted.integers), options, run);
}

TEST(RandomStart, IsDrawnAnewAndNotFromTheFile) {
  const Planted planted(240, 4, 9, 4, 1);
  const Verification first = tested(planted, {});
  const Verification second = tested(planted, {});
  ASSERT_TRUE(first.verified) << first.reason;
  ASSERT_TRUE(first.seed && second.seed);
  EXPECT_NE(*first.seed, *second.seed);
  EXPECT_FALSE(first.replayed);
}

TEST(RandomStart, IsReplayedFromItsSeed) {
  const Planted planted(240, 4, 9, 4, 1);
  const Verification replayed = tested(planted, 7);
  ASSERT_TRUE(replayed.verified) << replayed.reason;
  EXPECT_EQ(replayed.seed, 7U);
  EXPECT_TRUE(replayed.replayed);
}

TEST(RandomStart, OfOneSeedIsOfNoUseToAForger) {
  // Another order of the items, and with it another checksum, must not change the start; the seed
  // must: what is found after few steps depends on the start alone.
  const Planted planted(600, 2, 12, 4, 3);
  const GivenSums given = given_of(planted.integers);
  const Partition partition = sum_over_clusters(given.triangle, planted.labels, 2);
  Claim claim;
  claim.items = given.items;
  const auto multipliers = check_multipliers(claim, partition, 1500, "lo");
  const auto found = [&](std::uint64_t seed) {
    return bound_largest_eigenvalue(given.triangle, partition, multipliers, 1e-12, seed).at_least;
  };
  EXPECT_EQ(found(1), found(1));
  EXPECT_NE(found(1), found(2));
  EXPECT_NE(found(1), found((std::uint64_t{1} << 32U) + 1));
}

TEST(RandomStart, ComesFromTheSystem) { EXPECT_NE(fresh_seed(), fresh_seed()); }

// ---- memory

TEST(VerifyMemory, IsRefusedBeforeItIsTaken) {
  const Planted planted(100, 100, 1, 1, 1);
  VerifyOptions options;
  options.most_memory = 1e5;
  tertium::Run run;
  const std::string text = sealed(optimal_claim(planted.integers, planted.labels, {}, -1e6));
  EXPECT_THROW(verify_certificate(text, ".", given_of(planted.integers), options, run), InputError);
  options.most_memory = 1e8;
  EXPECT_TRUE(verify_certificate(text, ".", given_of(planted.integers), options, run).verified);
}

}  // namespace
}  // namespace tertium::internal::verifying
