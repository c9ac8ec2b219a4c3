"""What a refit would do: the relevance of each question as it is, as it would be, and by a fit that did not see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from retrieval.evaluation.abstention import Answered, Asked, Relevances, answered_at, passes, relevances
from retrieval.evaluation.calibration import Observation, as_json
from retrieval.evaluation.refit import LOST_COST, held_out, moves_every_weight, refit
from retrieval.relevance import Calibration, calibration_for

FLOORS = tuple(step / 20 for step in range(21))
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Change:
    """A question on the other side of the floor after the refit."""

    question: str
    line: int
    answerable: bool
    before: float
    after: float
    answered: bool

    @property
    def right(self) -> bool:
        """Whether it is for the better."""
        return self.answered == self.answerable


@dataclass(frozen=True, slots=True)
class Trial:
    """The refitted calibration and what it does. `unseen` are relevances by refits that did not see the question.

    `free` tells whether every weight moved, or only the bias and one scale.
    """

    refitted: Calibration
    free: bool
    floor: float
    asked: Sequence[Asked]
    before: Relevances
    after: Relevances
    unseen: Relevances

    @property
    def counts(self) -> Mapping[str, int]:
        answerable = sum(one.question.answerable for one in self.asked)
        nothing = sum(one.signals is None for one in self.asked)
        return {"answerable": answerable, "unanswerable": len(self.asked) - answerable, "found_nothing": nothing}

    @property
    def answered(self) -> Mapping[str, Answered]:
        """The shares answered at the floor."""
        found = {"before": self.before, "after": self.after, "unseen": self.unseen}
        return {name: answered_at(self.floor, self.asked, one) for name, one in found.items()}

    @property
    def gains(self) -> bool:
        """Whether questions that the fit did not see fare better than now, a lost answer weighing the heavier."""
        return _cost(self.answered["unseen"]) < _cost(self.answered["before"])

    @property
    def changes(self) -> Sequence[Change]:
        """The questions that change sides, those for the worse first, then by how far they move."""
        found = [
            Change(one.question.text, one.question.line, one.question.answerable, old, new, new >= self.floor)
            for one, old, new in zip(self.asked, self.before, self.after, strict=True)
            if old is not None and new is not None and passes(old, self.floor) != passes(new, self.floor)
        ]
        return sorted(found, key=lambda change: (change.right, -abs(change.after - change.before)))

    def curve(self, found: Relevances, floors: Sequence[float] = FLOORS) -> Sequence[Answered]:
        """Give the shares answered at each floor."""
        return [answered_at(floor, self.asked, found) for floor in floors]

    def document(self) -> dict[str, object]:
        """Give what `--json` prints."""
        curves = zip(FLOORS, self.curve(self.before), self.curve(self.after), strict=True)
        changes = self.changes
        return {
            "model": self.refitted.model,
            "floor": self.floor,
            "questions": dict(self.counts),
            "answered": {name: asdict(shares) for name, shares in self.answered.items()},
            "gains": self.gains,
            "changed": {
                side: {
                    "right": sum(change.right for change in moved),
                    "wrong": sum(not change.right for change in moved),
                }
                for side, moved in (
                    ("answered", [change for change in changes if change.answered]),
                    ("refused", [change for change in changes if not change.answered]),
                )
            },
            "examples": [asdict(change) for change in changes[:EXAMPLES]],
            "curve": [{"floor": floor, "before": asdict(old), "after": asdict(new)} for floor, old, new in curves],
            "calibration": as_json(self.refitted),
        }


def tried(asked: Sequence[Asked], serving: Calibration, floor: float) -> Trial:
    """Refit from the shipped calibration, whatever serves now, so that fits do not pile up.

    Raises TooFewQuestions and ContraryLabels.
    """
    observations = [
        Observation("team", one.signals, one.question.answerable) for one in asked if one.signals is not None
    ]
    shipped = calibration_for(serving.model)
    refitted = refit(observations, shipped)
    unseen = iter(held_out(observations, shipped))
    return Trial(
        refitted=refitted,
        free=moves_every_weight(observations),
        floor=floor,
        asked=asked,
        before=relevances(asked, serving),
        after=relevances(asked, refitted),
        unseen=[None if one.signals is None else next(unseen) for one in asked],
    )


def _cost(answered: Answered) -> float:
    return LOST_COST * (1 - answered.answerable) + answered.unanswerable
