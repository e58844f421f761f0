"""What is claimed about the economy, and whether it holds, in one simulation or over many seeds.

What is measured fails a claim only where it is out of bounds by more than chance explains: all claims
together fail for one seed in a thousand, where each is only just true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import nan, sqrt
from operator import add
from statistics import NormalDist, fmean, stdev

from scipy.stats import t as student

from benchmarks.economy_evidence import Claim
from benchmarks.economy_farms import Farm
from benchmarks.economy_people import Season, Tally
from benchmarks.economy_returns import CONFIDENCE, Return, agree
from benchmarks.economy_search import SNITCH, STICKS, Value, taking

USUAL = (500, 0.1, 0.1)  # the channel whose curves are drawn: active, best responses, snitches
WEEK = 7
FIRST_WEEK = 8  # after which the growth counts
LEAST_BACK, MOST_BACK, HONEST = 0.80, 0.99, 0.70
POOR, RICH, RICHEST, GROWTH = 500, 5000, 0.30, 0.05
MOST_GAIN = 1.0  # own stakes a heist
LEVEL, MEASURED = 0.001, 11  # of all claims together, and how many of them are measured
ERRORS = NormalDist().inv_cdf(1 - LEVEL / MEASURED)  # standard errors by which one may be out of bounds
STATED = 0.95  # the confidence of the limits that are told


@dataclass(frozen=True, slots=True)
class Findings:
    """What simulations found; of several seeds everything stands one after the other."""

    returns: Sequence[Return]
    best: Sequence[Mapping[str, Sequence[Value]]]  # of each seed by crowd, best first
    seasons: Sequence[Season]
    farms: Sequence[Farm]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error; `count` values that are independent of each other made it."""

    value: float
    error: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        error = stdev(values) / sqrt(len(values)) if len(values) > 1 else nan
        return cls(fmean(values), error, len(values))

    @property
    def allowed(self) -> float:
        """By how much it may be out of bounds; nothing, where no error is known."""
        return self.error * _deviates(LEVEL / MEASURED, self.count) if self.count > 1 else 0.0

    @property
    def upper(self) -> float:
        """The upper confidence limit that is told."""
        return self.value + (self.error * _deviates(1 - STATED, self.count) if self.count > 1 else nan)


def _deviates(level: float, count: int) -> float:
    return float(student.isf(level, count - 1))


def together(findings: Sequence[Findings]) -> Findings:
    """Put what several seeds found together."""
    return Findings(
        [row for each in findings for row in each.returns],
        [best for each in findings for best in each.best],
        [season for each in findings for season in each.seasons],
        [farm for each in findings for farm in each.farms],
    )


def sure(findings: Findings) -> list[Claim]:
    """Look at what does not hang on chance, or whose chance is reckoned with exactly."""
    # Beside others, who may be robbed, it is not the house that pays.
    alone = [each for each in findings.returns if each.game == "Bank Heist" and "beside" not in each.way]
    most = max(each.published for each in alone)
    worst = min(findings.returns, key=lambda each: each.chance)
    farm = max(findings.farms, key=lambda each: each.received)
    return [
        Claim("no career returns 100% from the house", f"{most:.1%} at most", most < 1),
        Claim(
            f"simulated returns agree with the published ones (all together {CONFIDENCE:.1%})",
            f"{len(findings.returns)} rows, the least likely {worst.chance:.3g} ({worst.game}, {worst.way})",
            agree(findings.returns),
        ),
        Claim(
            "no farm brings one person more than the gift limits",
            f"{farm.received:,} of {farm.limit:,} credits on its best day ({farm})",
            all(each.received <= each.limit for each in findings.farms),
        ),
    ]


def measured(findings: Findings) -> list[Claim]:
    """Look at what is measured, with its error."""
    usual = [each for each in findings.seasons if is_usual(each)]
    return [*_responses(findings), *_games(findings), *_mixes(findings), *(_wealth(usual) if usual else [])]


def is_usual(season: Season) -> bool:
    return (season.mix.active, season.mix.best, season.mix.snitches) == USUAL


# Best responses


def _responses(findings: Findings) -> list[Claim]:
    best = [each[STICKS][0] for each in findings.best]
    snitched = [taking(each[SNITCH])[0] for each in findings.best]
    gain, house = _pooled(best, "gain", "error"), _pooled(best, "house", "house_error")
    takings = _pooled(snitched, "gain", "error")
    return [
        Claim(
            "against a crowd that sticks the best response gains at most its own stake a heist",
            f"{gain.value:+.2f} ± {gain.error:.2f} by {best[0].cell}",
            gain.value - ERRORS * gain.error <= MOST_GAIN,
        ),
        Claim(
            "all of it out of others' winnings",
            f"{house.value:+.2f} ± {house.error:.2f} of the house",
            house.value - ERRORS * house.error <= 0,
        ),
        Claim(
            "with one snitch among ten, taking from others loses",
            f"{takings.value:+.2f} ± {takings.error:.2f} by {snitched[0].cell}",
            takings.value - ERRORS * takings.error < 0,
        ),
    ]


def _pooled(values: Sequence[Value], name: str, error: str) -> Mean:
    """Average what each seed found for its best response, by the errors of each."""
    errors = [getattr(each, error) for each in values]
    mean = fmean(getattr(each, name) for each in values)
    return Mean(mean, sqrt(sum(each * each for each in errors)) / len(errors), len(errors))


def _games(findings: Findings) -> list[Claim]:
    others = [each for each in findings.returns if each.game != "Bank Heist"]
    most = max(others, key=lambda each: each.found)
    return [
        Claim(
            "the other games return at most 100%, best responses included",
            f"{most.found:.1%} at most ({most.game}, {most.way})",
            agree(others),
        )
    ]


# Channels


def _mixes(findings: Findings) -> list[Claim]:
    by_mix = tallies(findings.seasons)
    least, most = (choose(by_mix, key=lambda mix: by_mix[mix].share()) for choose in (min, max))
    honest = min(by_mix, key=lambda mix: by_mix[mix].share("honest"))
    moderators = reduce(add, by_mix.values())
    low, high, poor = by_mix[least], by_mix[most], by_mix[honest]
    ends = [f"{by_mix[each].share():.1%} ± {by_mix[each].error():.1%} ({each})" for each in (least, most)]
    return [
        Claim(
            f"in each mix all heisters together get back {LEAST_BACK:.0%} to {MOST_BACK:.0%}",
            " to ".join(ends),
            low.share() + ERRORS * low.error() >= LEAST_BACK
            and high.share() - ERRORS * high.error() <= MOST_BACK,
        ),
        Claim(
            f"honest heisters keep at least {HONEST:.0%} in every mix",
            f"{poor.share('honest'):.1%} ± {poor.error('honest'):.1%} ({honest})",
            poor.share("honest") + ERRORS * poor.error("honest") >= HONEST,
        ),
        Claim(
            "a moderator who plays has no profit of it",
            f"{moderators.share('moderator'):.1%} ± {moderators.error('moderator'):.1%} come back",
            moderators.share("moderator") - ERRORS * moderators.error("moderator") <= 1,
        ),
    ]


def tallies(seasons: Sequence[Season]) -> dict[str, Tally]:
    """Add up what channels of the same kind had of heists."""
    by_mix: dict[str, Tally] = {}
    for each in seasons:
        by_mix[str(each.mix)] = by_mix.get(str(each.mix), Tally()) + each.heist
    return by_mix


def _wealth(seasons: Sequence[Season]) -> list[Claim]:
    """Look at the wallets of the usual channel on its last day, and at how it grew until then."""
    mix, last = seasons[0].mix, [each.days[-1] for each in seasons]
    median, richest = Mean.of([each.quantiles[2] for each in last]), Mean.of([each.richest for each in last])
    claims = [
        Claim(
            f"the median of {mix.active} active after {mix.days} days lies between"
            f" {POOR:,} and {RICH:,} credits",
            _with_error(median, "{:,.0f}"),
            POOR - median.allowed <= median.value <= RICH + median.allowed,
        ),
        Claim(
            f"the richest 1% hold at most {RICHEST:.0%}",
            _with_error(richest, "{:.1%}"),
            richest.value - richest.allowed <= RICHEST,
        ),
    ]
    weekly_growth = growth(seasons)
    return claims if weekly_growth is None else [*claims, _growing(weekly_growth)]


def _growing(weekly_growth: Mean) -> Claim:
    limit = f"upper limit ({STATED:.0%}) {weekly_growth.upper:+.2%}"
    return Claim(
        f"circulation a regular grows less than {GROWTH:.0%} a week after week {FIRST_WEEK}, on average",
        f"{_with_error(weekly_growth, '{:+.2%}')}, {limit}",
        weekly_growth.value - weekly_growth.allowed < GROWTH,
    )


def growth(seasons: Sequence[Season]) -> Mean | None:
    """Average by how much circulation grows in a week, after the eighth; None: there are no such weeks.

    Of several seeds each counts as one value; of a single one its weeks are the values, which tell less.
    """
    growths_by_seed = [each for each in map(growths, seasons) if each]
    if len(growths_by_seed) > 1:
        return Mean.of([fmean(each) for each in growths_by_seed])
    return Mean.of(growths_by_seed[0]) if growths_by_seed else None


def growths(season: Season) -> list[float]:
    """Give by how much the mean of a week has grown on the week before, from the ninth week on."""
    weeks = len(season.days) // WEEK
    means = [fmean(day.mean for day in season.days[week * WEEK : (week + 1) * WEEK]) for week in range(weeks)]
    return [means[week] / means[week - 1] - 1 for week in range(FIRST_WEEK, weeks)]


def _with_error(mean: Mean, form: str) -> str:
    text = form.format(mean.value)
    return text if mean.count < 2 else f"{text} ± {form.format(mean.error).lstrip('+')}"
