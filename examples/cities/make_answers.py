"""Simulate a survey that asks which of two cities is nearer to a third.

Writes answers.csv (one row per question asked) and cities.csv (one row per city).
The same seed and number of answers always give the same two files.
"""

import argparse
import csv
import random
from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt
from pathlib import Path

PARTICIPANTS = 40
GUESSER = 13  # answers at random
LEFT_PRESSER = 28  # always chooses the left city
ERROR_SHAPE = (3, 22)  # beta distribution of a participant's error rate, mean 0.12
SHARED_PART = 0.12  # part of the answers that go to questions asked of several participants
ASKED_OF = 3  # participants per shared question, on average
UNANSWERED = 0.005  # probability that a question is left without answer

# name: latitude and longitude in degrees, north and east positive
CITIES = {
    "Europe": {
        "Amsterdam": (52.37, 4.90),
        "Berlin": (52.52, 13.41),
        "Brussels": (50.85, 4.35),
        "Copenhagen": (55.68, 12.57),
        "London": (51.51, -0.13),
        "Munich": (48.14, 11.58),
        "Paris": (48.86, 2.35),
        "Prague": (50.08, 14.44),
        "Rome": (41.90, 12.50),
        "Vienna": (48.21, 16.37),
        "Warsaw": (52.23, 21.01),
        "Zurich": (47.38, 8.54),
    },
    "North America": {
        "Atlanta": (33.75, -84.39),
        "Boston": (42.36, -71.06),
        "Chicago": (41.88, -87.63),
        "Cleveland": (41.50, -81.69),
        "Detroit": (42.33, -83.05),
        "Montreal": (45.50, -73.57),
        "New York": (40.71, -74.01),
        "Ottawa": (45.42, -75.70),
        "Philadelphia": (39.95, -75.17),
        "Pittsburgh": (40.44, -80.00),
        "Toronto": (43.65, -79.38),
        "Washington": (38.91, -77.04),
    },
    "South America": {
        "Asunción": (-25.26, -57.58),
        "Belo Horizonte": (-19.92, -43.94),
        "Brasília": (-15.79, -47.88),
        "Buenos Aires": (-34.60, -58.38),
        "Córdoba": (-31.42, -64.18),
        "Curitiba": (-25.43, -49.27),
        "Montevideo": (-34.90, -56.16),
        "Porto Alegre": (-30.03, -51.22),
        "Rio de Janeiro": (-22.91, -43.17),
        "Rosario": (-32.95, -60.65),
        "Santiago": (-33.45, -70.67),
        "São Paulo": (-23.55, -46.63),
    },
    "South Asia": {
        "Ahmedabad": (23.02, 72.57),
        "Bangalore": (12.97, 77.59),
        "Chennai": (13.08, 80.27),
        "Colombo": (6.93, 79.86),
        "Delhi": (28.61, 77.21),
        "Dhaka": (23.81, 90.41),
        "Hyderabad": (17.39, 78.49),
        "Karachi": (24.86, 67.00),
        "Kathmandu": (27.72, 85.32),
        "Kolkata": (22.57, 88.36),
        "Mumbai": (19.08, 72.88),
        "Pune": (18.52, 73.86),
    },
    "Australia and New Zealand": {
        "Adelaide": (-34.93, 138.60),
        "Auckland": (-36.85, 174.76),
        "Brisbane": (-27.47, 153.03),
        "Canberra": (-35.28, 149.13),
        "Christchurch": (-43.53, 172.64),
        "Dunedin": (-45.87, 170.50),
        "Gold Coast": (-28.02, 153.40),
        "Hobart": (-42.88, 147.33),
        "Melbourne": (-37.81, 144.96),
        "Newcastle": (-32.93, 151.78),
        "Sydney": (-33.87, 151.21),
        "Wellington": (-41.29, 174.78),
    },
}


@dataclass(frozen=True)
class City:
    name: str
    latitude: float
    longitude: float
    region: str


@dataclass(frozen=True)
class Question:
    """Is the anchor nearer to one or to the other?"""

    anchor: City
    one: City
    other: City


def all_cities() -> list[City]:
    cities = [
        City(name, latitude, longitude, region)
        for region, members in CITIES.items()
        for name, (latitude, longitude) in members.items()
    ]
    return sorted(cities, key=lambda city: city.name)


def great_circle(a: City, b: City) -> float:
    """The angle between two cities seen from the centre of the Earth (haversine formula)."""
    latitude_a, latitude_b = radians(a.latitude), radians(b.latitude)
    half_north = (latitude_b - latitude_a) / 2
    half_east = radians(b.longitude - a.longitude) / 2
    chord = sin(half_north) ** 2 + cos(latitude_a) * cos(latitude_b) * sin(half_east) ** 2
    return 2 * asin(sqrt(min(1.0, chord)))


def answer(
    question: Question, participant: int, error_rate: float, rng: random.Random
) -> tuple[City, City, City | None]:
    """Show the two cities in random order; return left, right and the chosen one (or None)."""
    left, right = rng.sample((question.one, question.other), 2)
    nearer, farther = sorted((left, right), key=lambda city: great_circle(question.anchor, city))
    if participant == GUESSER:
        chosen = rng.choice((left, right))
    elif participant == LEFT_PRESSER:
        chosen = left
    else:
        chosen = farther if rng.random() < error_rate else nearer
    return left, right, None if rng.random() < UNANSWERED else chosen


def survey(cities: list[City], answers: int, rng: random.Random) -> list[list[str]]:
    """One row per question asked: participant, anchor, left, right, answer."""
    shared = [
        Question(*rng.sample(cities, 3)) for _ in range(int(answers * SHARED_PART / ASKED_OF))
    ]
    rows = []
    for participant in range(1, PARTICIPANTS + 1):
        error_rate = rng.betavariate(*ERROR_SHAPE)
        count = answers * participant // PARTICIPANTS - answers * (participant - 1) // PARTICIPANTS
        questions = rng.sample(shared, min(len(shared), round(count * SHARED_PART)))
        questions += [Question(*rng.sample(cities, 3)) for _ in range(count - len(questions))]
        rng.shuffle(questions)
        for question in questions:
            left, right, chosen = answer(question, participant, error_rate, rng)
            shown = [question.anchor.name, left.name, right.name]
            rows.append([f"p{participant:02}", *shown, chosen.name if chosen else ""])
    return rows


def write_csv(path: Path, header: list[str], rows: list[list]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="seed of the survey (default 1)")
    parser.add_argument("--answers", type=int, default=10000, help="rows to write (default 10000)")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).parent,
        help="folder to write to (default: beside this script)",
    )
    options = parser.parse_args()
    if options.answers < 1:
        parser.error(f"--answers is {options.answers}, expected 1 or more")

    options.output.mkdir(parents=True, exist_ok=True)
    cities = all_cities()
    rows = survey(cities, options.answers, random.Random(options.seed))
    write_csv(
        options.output / "answers.csv", ["participant", "anchor", "left", "right", "answer"], rows
    )
    write_csv(
        options.output / "cities.csv",
        ["name", "latitude", "longitude", "region"],
        [
            [city.name, f"{city.latitude:.2f}", f"{city.longitude:.2f}", city.region]
            for city in cities
        ],
    )


if __name__ == "__main__":
    main()
