"""The real data sets: every file of answers reads without flags, and means what it says.

Each file is read a second time here with Python's own csv and json modules.
"""

import csv
import json
from ast import literal_eval
from collections import Counter

import pytest
from definitions import (
    adds3,
    agreement_with_others,
    most_central,
    odd_one_out,
    repeat_agreement,
)

pytestmark = pytest.mark.data


def records(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def nearer(chosen, others):
    return [(near, far) for near in chosen for far in others]


# --- readers: one file -> [(row number, [triplets of that row, with weights])] ---


def plain_triplets(path):
    return [[((r["anchor"], r["near"], r["far"]), 1)] for r in records(path)]


def central(path):
    return [
        [(t, 1) for t in most_central(r["central"], r["other1"], r["other2"])]
        for r in records(path)
    ]


def letters(path):
    return [[(t, 1) for t in odd_one_out(r["a"], r["b"], r["odd"])] for r in records(path)]


def votes(path):
    return [
        [
            ((r["anchor"], r["b"], r["c"]), int(r["votes_b_nearer"])),
            ((r["anchor"], r["c"], r["b"]), int(r["votes_c_nearer"])),
        ]
        for r in records(path)
    ]


def car_survey(path):
    found = []
    for r in records(path):
        shown = [r[f"triplet_object_{i}"] for i in (1, 2, 3)]
        others = [item for item in shown if item != r["chosen_center"]]
        assert len(others) == 2
        found.append([(t, 1) for t in most_central(r["chosen_center"], *others)])
    return found


def jspsych(path):
    found = []
    for r in records(path):
        answered = r["trial_category"] and r["response"] in ("0", "1")
        if not answered:
            found.append([])
            continue
        options = json.loads(r["choices"])
        near = options.pop(int(r["response"]))
        found.append([((r["stimulus"], near, options[0]), 1)])
    return found


def ranking(path):
    found = []
    for r in records(path):
        order = [r[column] for column in literal_eval(r["clicks"])]
        assert len(order) == 8
        pairs = [(order[i], order[j]) for i in range(8) for j in range(i + 1, 8)]
        found.append([((r["ref"], near, far), 1) for near, far in pairs])
    return found


def material_votes(path):
    content = json.loads(path.read_text())
    return [
        [((str(r), str(a), str(b)), votes_a), ((str(r), str(b), str(a)), votes_b)]
        for (r, a, b), (votes_a, votes_b) in zip(
            content["answers"], content["agreement"], strict=True
        )
    ]


def food_grid(path):
    screens = [s for hit in json.loads(path.read_text()) for s in hit["HIT_screens"]]
    found = []
    for screen in screens:
        others = [image for image in screen["images"] if image not in screen["near_answer"]]
        pairs = nearer(screen["near_answer"], others)
        found.append(
            []
            if screen["is_catchtrial"]
            else [((screen["probe"], near, far), 1) for near, far in pairs]
        )
    return found


FILES = {
    "car/central.csv": central,
    "car/central_all_with_repeats.csv": central,
    "car/triplets.csv": plain_triplets,
    "cfd36_faces/triplets.csv": plain_triplets,
    "food/triplets.csv": plain_triplets,
    "food/triplets_all_with_repeats.csv": plain_triplets,
    "letters/cyrillic.csv": letters,
    "letters/devanagari.csv": letters,
    "letters/latin.csv": letters,
    "material/triplets_majority_train.csv": plain_triplets,
    "material/votes_train.csv": votes,
    "material/votes_test.csv": votes,
    "raw_exports/car_survey.csv": car_survey,
    "raw_exports/jspsych_triplets.csv": jspsych,
    "raw_exports/psychopy_ranking_responses.csv": ranking,
    "raw_exports/material_votes.json": material_votes,
    "raw_exports/food_grid.json": food_grid,
}


def used(found):
    """Without self-comparisons, which never enter S, and without votes nobody gave."""
    total = Counter()
    for row in found:
        for triplet, weight in row:
            if len(set(triplet)) == 3 and weight > 0:
                total[triplet] += weight
    return total


def sentence_of(found, kind):
    """What the first row with an answer says."""
    number, row = next((i, row) for i, row in enumerate(found, 1) if any(w for _, w in row))
    anchor, near, far = next(t for t, w in row if w > 0)
    if kind == "most-central":  # (b, a, c) and (c, a, b): a is central
        return f"row {number}: of '{near}', '{anchor}' and '{far}', '{near}' is the most central"
    if kind == "odd-one-out":  # (a, b, c) and (b, a, c): c is odd
        return f"row {number}: of '{anchor}', '{near}' and '{far}', '{far}' is the odd one out"
    return f"row {number}: '{anchor}' is more like '{near}' than like '{far}'"


@pytest.mark.parametrize(("name", "reader"), FILES.items(), ids=FILES.keys())
def test_file_of_answers(tertium, data, name, reader):
    found = reader(data / name)
    expected = used(found)
    check = tertium.check(data / name)
    (file,) = check["files"]
    assert file["first_row"].startswith(sentence_of(found, file["kind"]))
    assert check["rows"]["read"] == len(found)
    assert check["rows"]["answered"] == sum(any(w for _, w in row) for row in found)
    assert check["comparisons"] == sum(w > 0 and len(set(t)) == 3 for row in found for t, w in row)
    assert check["self_comparisons"]["count"] == sum(
        any(w > 0 and len(set(t)) < 3 for t, w in row) for row in found
    )
    similarity = tertium.similarity(data / name)
    assert similarity.pairs == adds3(expected)
    assert set(similarity.names) >= {item for triplet in expected for item in triplet}


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("raw")])
def test_text_of_both_commands_echoes_the_sentence(tertium, data, name):
    sentence = tertium.check(data / name)["files"][0]["first_row"]
    assert sentence in tertium.run("check", data / name).stdout
    assert sentence in tertium.run("similarity", data / name, "-o", "a.sim").stdout


def test_first_sentence_of_the_ranking(tertium, data):
    # The example of the design, word for word.
    text = tertium.run("check", data / "raw_exports" / "psychopy_ranking_responses.csv").stdout
    assert "row 1: 'hog' is more like 'monkey' than like 'giraffe'" in text


def test_counts_of_car(tertium, data):
    check = tertium.check(data / "car" / "central.csv")
    assert (check["comparisons"], check["items"]) == (12112, 60)


def test_car_from_central_answers_and_from_triplets_is_the_same(tertium, data):
    central_answers = tertium.similarity(data / "car" / "central.csv")
    assert tertium.similarity(data / "car" / "triplets.csv") == central_answers


def test_counts_of_food(tertium, data):
    check = tertium.check(data / "food" / "triplets.csv")
    assert (check["comparisons"], check["items"]) == (190376, 100)
    assert check["questions"]["contradicted"] == 9349
    text = tertium.run("check", data / "food" / "triplets.csv").stdout
    assert "9349 answered in contradictory ways" in text


def test_once_turns_all_answers_into_the_set_of_the_paper(tertium, data):
    everything = data / "food" / "triplets_all_with_repeats.csv"
    once = tertium.similarity(everything, "--repeats", "once")
    assert once == tertium.similarity(data / "food" / "triplets.csv")


def asked_triplets(path):
    """(question, answer, participant); self-comparisons are no questions."""
    return [
        ((r["anchor"], frozenset((r["near"], r["far"]))), r["near"], r.get("participant"))
        for r in records(path)
        if len({r["anchor"], r["near"], r["far"]}) == 3
    ]


def asked_cars(path):
    shown = ["triplet_object_1", "triplet_object_2", "triplet_object_3"]
    return [
        (frozenset(r[column] for column in shown), r["chosen_center"], r["survey_round"])
        for r in records(path)
    ]


ASKED = {
    "food/triplets_all_with_repeats.csv": asked_triplets,
    "cfd36_faces/triplets.csv": asked_triplets,
    "raw_exports/car_survey.csv": asked_cars,
}


@pytest.mark.parametrize(("name", "reader"), ASKED.items(), ids=ASKED.keys())
def test_repeats_and_participants(tertium, data, name, reader):
    asked = reader(data / name)
    check = tertium.check(data / name)
    expected = repeat_agreement([(question, answer) for question, answer, _ in asked])
    assert check["repeat_agreement"] == pytest.approx(expected, abs=1e-9)
    people = Counter(participant for _, _, participant in asked if participant)
    assert {p["name"]: p["answers"] for p in check["participants"]} == people
    if people:
        found = {p["name"]: p["agreement"] for p in check["participants"] if p["shared_answers"]}
        assert found == pytest.approx(agreement_with_others(asked), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "noted"),
    [("food/triplets_all_with_repeats.csv", 0.84), ("cfd36_faces/triplets.csv", 0.67)],
)
def test_noise_ceilings_that_were_noted_before(tertium, data, name, noted):
    assert tertium.check(data / name)["repeat_agreement"] == pytest.approx(noted, abs=0.02)


LISTS = {
    "cfd36_faces/triplets.csv": ("cfd36_faces/items.csv", "stimulus"),
    "food/triplets.csv": ("food/items.csv", "dish_name"),
    "letters/latin.csv": ("letters/latin_items.csv", "character"),
    "letters/devanagari.csv": ("letters/devanagari_items.csv", "character"),
    "material/votes_test.csv": ("material/items.csv", "material"),
    "raw_exports/material_votes.json": ("material/items.csv", "material"),
    "raw_exports/food_grid.json": ("food/items.csv", "dish_name"),
}


@pytest.mark.parametrize(("name", "listed"), LISTS.items(), ids=LISTS.keys())
def test_items_files_name_the_items(tertium, data, name, listed):
    items, column = listed
    listed = records(data / items)
    names = [r[column] or r["index"] for r in listed]  # some dishes have no name
    called = {r["index"]: name for r, name in zip(listed, names, strict=True)}
    if "image_file" in listed[0]:
        called |= {f"images/{r['image_file']}": called[r["index"]] for r in listed}
    triplets = {
        tuple(called[item] for item in triplet): weight
        for triplet, weight in used(FILES[name](data / name)).items()
    }
    similarity = tertium.similarity(data / name, "--items", data / items)
    assert similarity.names == names
    assert similarity.pairs == adds3(triplets)


def test_coordinates_are_not_answers(tertium, data):
    message = tertium.refuse("check", data / "mnist" / "tsne_test.csv")
    assert "label, x, y" in message
    assert "--anchor" in message


@pytest.mark.parametrize("where", ["check", "random", "validation"])
def test_where_on_faces(tertium, data, where):
    path = data / "cfd36_faces" / "triplets.csv"
    chosen = [r for r in records(path) if r["sampling"] == where]
    check = tertium.check(path, "--where", f"sampling={where}")
    assert check["comparisons"] + check["self_comparisons"]["count"] == len(chosen)
