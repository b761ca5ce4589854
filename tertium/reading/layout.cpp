#include "tertium/reading/layout.hpp"

#include <utility>

namespace tertium::internal {
namespace {

constexpr std::string_view anchors =
    "anchor head center centre target probe ref reference query targetcenter";
constexpr std::string_view answers =
    "answer winner choice chosen response targetwinner indexwinner label eval";
constexpr std::string_view left = "left option1 targetleft optiona";
constexpr std::string_view first_of_three = "item1 stim1 image1 option1 object1 a";
constexpr std::string_view second_of_three = "item2 stim2 image2 option2 object2 b";
constexpr std::string_view third_of_three = "item3 stim3 image3 option3 object3 c";
constexpr std::string_view odd_item = "odd oddone oddoneout odditem";
constexpr std::string_view right = "right option2 targetright optionb";

const std::vector<Layout>& all() {
  static const std::vector<Layout> table = {
      {.title = "anchor, near, far",
       .kind = ScreenKind::triplets,
       .anchor = anchors,
       .options = {"near winner positive pos closer nearer",
                   "far loser negative neg farther further"},
       .picked = 0,
       .shown = {left, right}},

      {.title = "anchor, two options and the votes for each",
       .kind = ScreenKind::triplets,
       .anchor = anchors,
       .options = {"b left option1 targetleft optiona", "c right option2 targetright optionb"},
       .votes = {"votesbnearer votesb votes1 votesleft votesoption1",
                 "votescnearer votesc votes2 votesright votesoption2"}},

      {.title = "answers and agreement",
       .kind = ScreenKind::triplets,
       .anchor = "answers1",
       .options = {"answers2", "answers3"},
       .votes = {"agreement1", "agreement2"}},

      {.title = "anchor, two options and the answer",
       .kind = ScreenKind::triplets,
       .anchor = anchors,
       .options = {left, right},
       .answer = answers},

      {.title = "A, B, C and the evaluation",
       .kind = ScreenKind::triplets,
       .anchor = "a",
       .options = {"b", "c"},
       .answer = "eval evaluation answer winner choice chosen response"},

      {.title = "jsPsych: stimulus, list of choices and response",
       .kind = ScreenKind::triplets,
       .anchor = "stimulus",
       .list = "choices",
       .answer = "response"},

      {.title = "three pictures in one stimulus and the response",
       .kind = ScreenKind::triplets,
       .list = "stimulus stimuli",
       .answer = "response",
       .in_order_told = true},

      {.title = "PsychoPy: list of three stimuli and the odd one",
       .kind = ScreenKind::odd_one_out,
       .list = "stimulus stimuli",
       .answer = "response"},

      {.title = "list of three stimuli and the central one",
       .kind = ScreenKind::most_central,
       .list = "stimulus stimuli",
       .answer = "response"},

      {.title = "THINGS: three images and the odd one",
       .kind = ScreenKind::odd_one_out,
       .options = {"image1", "image2", "image3"},
       .answer = "choice"},

      {.title = "Meadows: three stimuli and the odd one",
       .kind = ScreenKind::odd_one_out,
       .options = {"stim1name", "stim2name", "stim3name"},
       .answer = "label"},

      {.title = "the central item and two others",
       .kind = ScreenKind::most_central,
       .options = {"central mostcentral", "other1", "other2"},
       .picked = 0},

      {.title = "three objects and the chosen centre",
       .kind = ScreenKind::most_central,
       .options = {"tripletobject1 object1 item1", "tripletobject2 object2 item2",
                   "tripletobject3 object3 item3"},
       .answer = "chosencenter chosencentre center centre central"},

      {.title = "reference, stimuli and the order of clicks",
       .kind = ScreenKind::ranking,
       .anchor = anchors,
       .series = "stim option item image",
       .answer = "clicks ranking order ranked"},

      {.title = "head, the best and the rest",
       .kind = ScreenKind::grid,
       .anchor = anchors,
       .options = {"best"},
       .series = "rest",
       .picked = 0},

      {.title = "probe, the images shown and those chosen",
       .kind = ScreenKind::grid,
       .anchor = anchors,
       .list = "images options shown",
       .answer = "nearanswer chosen selected answer"},

      {.title = "MLDS: two pairs, and which differs more",
       .kind = ScreenKind::quadruplets,
       .options = {"s1", "s2", "s3", "s4"},
       .answer = "resp",
       .coding = AnswerCoding::from_zero,
       .picks_different = true},

      {.title = "two pairs and the answer",
       .kind = ScreenKind::quadruplets,
       .options = {"i s1 pair1a left1", "j s2 pair1b left2", "k s3 pair2a right1",
                   "l s4 pair2b right2"},
       .answer = answers,
       .picks_different = std::nullopt},

      {.title = "pairs i,j and k,l",
       .kind = ScreenKind::quadruplets,
       .options = {"i near1", "j near2", "k far1", "l far2"},
       .picked = 0},

      {.title = "three items and the odd one",
       .kind = ScreenKind::odd_one_out,
       .options = {first_of_three, second_of_three, third_of_three},
       .answer = odd_item},

      {.title = "three items and the one picked",
       .kind = std::nullopt,
       .options = {first_of_three, second_of_three, third_of_three},
       .answer = answers},

      {.title = "two items and the odd one",
       .kind = ScreenKind::odd_one_out,
       .options = {first_of_three, second_of_three, odd_item},
       .picked = 2},
  };
  return table;
}

constexpr std::array<std::pair<std::string_view, AnswerCoding>, answer_codings> codings = {{
    {"item", AnswerCoding::item},
    {"0/1", AnswerCoding::from_zero},
    {"1/2", AnswerCoding::from_one},
    {"+1/-1", AnswerCoding::plus_minus},
    {"left/right", AnswerCoding::words},
    {"column", AnswerCoding::column},
}};

template <class Names, class Value>
std::string_view name_of(const Names& names, Value value) {
  for (const auto& [name, named] : names) {
    if (named == value) return name;
  }
  return "";
}

template <class Value, std::size_t count>
std::optional<Value> value_of(const std::array<std::pair<std::string_view, Value>, count>& names,
                              std::string_view text) {
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace

std::span<const Layout> layouts() { return all(); }

const CommonColumns& common_columns() {
  static constexpr CommonColumns columns = {
      .weight = "weight count votes n",
      .participant =
          "prolificpid prolificid participantprivateid workerid worker puid participant "
          "participation participantid subjectid subject subj subid subjectnr subjectnumber pid "
          "responseid user userid sessionid participantuid surveyround annotator annotatorid rater "
          "raterid judge respondent respondentid participantpublicid runid id",
      .catch_trial = "iscatchtrial catchtrial iscatch",
  };
  return columns;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string_view to_string(AnswerCoding coding) { return name_of(codings, coding); }
std::optional<AnswerCoding> parse_answer_coding(std::string_view text) {
  return value_of(codings, text);
}

}  // namespace tertium
