"""The optional rules. Each is a switch, off unless the table agrees; `CONFLICTS` are those that exclude each other."""

from typing import Annotated

import msgspec

from rules.engine.questions import Arg

from .components import ACTIONS, ONE_BOX_SEATS


class Options(msgspec.Struct, frozen=True):
    """All optional rules; `round_limit` 0 means none."""

    no_recycle_after_death: bool = False
    emperor_dies_forced: bool = False
    no_card_reuse: bool = False
    actions_per_turn_4: bool = False
    actions_per_turn_5: bool = False
    admiral_death_eliminates: bool = False
    keep_all_captured_cards: bool = False
    keep_ten_captured_cards: bool = False
    double_forces: bool = False
    leave_emperor_dies_out: bool = False
    two_actions_per_turn: bool = False
    two_dice_combat: bool = False
    home_control: bool = False
    trading: bool = False
    twelve_players: bool = False
    own_favour_unopposed: bool = False
    round_limit: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0

    @property
    def actions(self) -> int:
        """How many actions a turn has."""
        if self.two_actions_per_turn:
            return 2
        if self.actions_per_turn_4:
            return 4
        return 5 if self.actions_per_turn_5 else ACTIONS

    @property
    def sets(self) -> int:
        """How many sets of forces each player has."""
        return 2 if self.double_forces else 1


CONFLICTS = (
    ("leave_emperor_dies_out", "no_recycle_after_death"),
    ("leave_emperor_dies_out", "emperor_dies_forced"),
    ("leave_emperor_dies_out", "no_card_reuse"),
    ("actions_per_turn_4", "actions_per_turn_5"),
    ("actions_per_turn_4", "two_actions_per_turn"),
    ("actions_per_turn_5", "two_actions_per_turn"),
    ("keep_all_captured_cards", "keep_ten_captured_cards"),
    ("double_forces", "twelve_players"),
)
DOUBLE_FORCES_SEATS = 3


def problems(options: Options, seats: int) -> list[tuple[str, dict[str, Arg]]]:
    """Why these options do not go together or not with so many players."""
    found: list[tuple[str, dict[str, Arg]]] = [
        ("why.options_conflict", {"one": one, "other": other})
        for one, other in CONFLICTS
        if getattr(options, one) and getattr(options, other)
    ]
    if seats > ONE_BOX_SEATS and not options.twelve_players:
        found.append(("why.needs_two_boxes", {"most": ONE_BOX_SEATS}))
    if seats <= ONE_BOX_SEATS and options.twelve_players:
        found.append(("why.too_few_for_two_boxes", {"most": ONE_BOX_SEATS}))
    if seats > DOUBLE_FORCES_SEATS and options.double_forces:
        found.append(("why.double_forces_seats", {"most": DOUBLE_FORCES_SEATS}))
    return found
