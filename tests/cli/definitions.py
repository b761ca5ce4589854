"""The definitions that the program is compared with, written as loops over the formulas."""

import math
from collections import Counter, defaultdict
from itertools import combinations

# How a snapshot of an earlier run begins: what its successor may replace.
OLDER_SNAPSHOT = b"\x89TERTSIM, an older output"


def rows(text, separator=","):
    """'0 1 2; 1 2 0' as lines of cells."""
    return "".join(separator.join(row.split()) + "\n" for row in text.split(";"))


def answers(text):
    """'0 1 2; 1 2 0' as tuples, each with weight 1."""
    return Counter(tuple(row.split()) for row in text.split(";"))


def odd_one_out(a, b, odd):
    """Two triplets: the pair is more alike than either is to the odd one."""
    return [(a, b, odd), (b, a, odd)]


def most_central(central, b, c):
    """Two triplets: both others are nearer to the central one than to each other."""
    return [(b, central, c), (c, central, b)]


def without_zeros(similarity):
    return {pair: value for pair, value in similarity.items() if value != 0}


def adds3(triplets):
    """AddS-3 of {(anchor, near, far): weight}, as {pair: value} without zeros."""
    T = Counter(triplets)
    items = sorted({item for triplet in T for item in triplet})
    count = T.get
    return without_zeros(
        {
            frozenset((i, j)): sum(
                count((i, j, r), 0)
                - count((i, r, j), 0)
                + count((j, i, r), 0)
                - count((j, r, i), 0)
                for r in items
                if r not in (i, j)
            )
            for i, j in combinations(items, 2)
        }
    )


def adds4(quadruplets):
    """AddS-4 of {(i, j, r, s): weight}; pairs have no order, so every pair stands for both."""
    Q = defaultdict(int)
    for (i, j, r, s), weight in Counter(quadruplets).items():
        Q[frozenset((i, j)), frozenset((r, s))] += weight
    items = sorted({item for quadruplet in quadruplets for item in quadruplet})
    pairs = [frozenset(pair) for pair in combinations(items, 2)]
    return without_zeros(
        {ij: sum(Q.get((ij, rs), 0) - Q.get((rs, ij), 0) for rs in pairs) for ij in pairs}
    )


def repeat_agreement(answered):
    """Mean over repeated questions of the chance that two answers to it agree.

    `answered` are (question, answer) pairs.
    """
    by_question = defaultdict(list)
    for question, answer in answered:
        by_question[question].append(answer)
    chances = []
    for given in by_question.values():
        pairs = list(combinations(given, 2)) if len(given) < 50 else None
        if pairs:
            chances.append(sum(a == b for a, b in pairs) / len(pairs))
        elif pairs is None:  # the same by counting, where pairs are many
            n = len(given)
            chances.append(sum(k * (k - 1) for k in Counter(given).values()) / (n * (n - 1)))
    return sum(chances) / len(chances) if chances else None


def agreement_with_others(answered):
    """{participant: mean over their answers of the share of others who answered the same}.

    `answered` are (question, answer, participant); answers that nobody shares do not count.
    """
    by_question = defaultdict(list)
    for question, answer, participant in answered:
        by_question[question].append((answer, participant))
    shares = defaultdict(list)
    for given in by_question.values():
        for answer, participant in given:
            others = [a for a, p in given if p != participant]
            if others:
                shares[participant].append(sum(a == answer for a in others) / len(others))
    return {participant: sum(s) / len(s) for participant, s in shares.items()}


def adjusted_rand(a, b):
    """Pair counting: agreement of 'together or apart' over all pairs, corrected for chance."""
    pairs = list(combinations(range(len(a)), 2))
    together_a = [a[i] == a[j] for i, j in pairs]
    together_b = [b[i] == b[j] for i, j in pairs]
    both = sum(x and y for x, y in zip(together_a, together_b, strict=True))
    expected = sum(together_a) * sum(together_b) / len(pairs) if pairs else 0
    largest = (sum(together_a) + sum(together_b)) / 2
    return 1.0 if largest == expected else (both - expected) / (largest - expected)


def entropy(labels):
    counts = Counter(labels).values()
    return -sum(n / len(labels) * math.log(n / len(labels)) for n in counts)


def normalised_mutual_information(a, b):
    """Mutual information over the arithmetic mean of the entropies."""
    mean = (entropy(a) + entropy(b)) / 2
    if mean == 0:
        return 1.0
    return (entropy(a) + entropy(b) - entropy(list(zip(a, b, strict=True)))) / mean


def mulk3(triplets):
    """The features of MulK-3, {item: {feature: value}}, and how often an item is an anchor."""
    features, evidence = defaultdict(Counter), Counter()
    for anchor, near, far in triplets:
        features[anchor][near, far] += 1
        features[anchor][far, near] -= 1
        evidence[anchor] += 1
    # Every pair {r, s} is there in both orders.
    return features, {item: 2 * count for item, count in evidence.items()}


def mulk3b(triplets):
    """The features of Kleindessner and von Luxburg's k2, and how often an item is an option."""
    features, evidence = defaultdict(Counter), Counter()
    for anchor, near, far in triplets:
        features[near][anchor, far] += 1
        features[far][anchor, near] -= 1
        evidence[near] += 1
        evidence[far] += 1
    return features, evidence


def mulk4(comparisons):
    """The features of MulK-4, from triplets or quadruplets; nothing to divide by."""
    features = defaultdict(Counter)
    for row in comparisons:
        i, j, r, s = row if len(row) == 4 else (row[0], row[1], row[0], row[2])
        for a, b, other, sign in ((i, j, frozenset((r, s)), 1), (r, s, frozenset((i, j)), -1)):
            features[a][b, other] += sign
            features[b][a, other] += sign
    return features, None


def kernel_of_features(features, evidence, items):
    """{pair: value}, where each pair of items has the product of its features."""
    return without_zeros(
        {
            frozenset((i, j)): sum(value * features[j][f] for f, value in features[i].items())
            / (math.sqrt(evidence[i] * evidence[j]) if evidence else 1)
            for i, j in combinations(items, 2)
            if features[i] and features[j]
        }
    )
