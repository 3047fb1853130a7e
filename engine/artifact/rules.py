"""The rules of Artifact. Rulings R40 to R59, R67 and R68 are named where they are kept.

Every move that throws dice takes them one after another from the stream `dice`, beginning at a fresh block: first
what the move itself throws, then what it brings about. Dice that are thrown together are one number: two six-sided
dice are one below 36, the three of a Challenge one below 216.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any, ClassVar, Final, Literal

from engine.artifact import moves as m
from engine.artifact import snapshot
from engine.artifact.agents import AGENTS
from engine.artifact.card_list import CardList, read_card_list
from engine.artifact.catalogue import SECOND, Catalogue, Challenge
from engine.artifact.party import (
    ABILITIES,
    CHOICE,
    CHOSEN,
    EQUIPMENT_KEYS,
    LEADER,
    MEMBERS,
    ROLLS,
    WELL,
    WOUNDED,
    counted,
    members,
)
from engine.artifact.party import GONE as GONE_MEMBER
from engine.artifact.sampling import sample_move, sample_party
from engine.artifact.state import (
    ABILITY,
    ATTACK,
    BACK,
    CHALLENGE,
    DEFEND,
    DIRECTION,
    END,
    ENTRIES,
    FACED,
    FORWARD,
    FOUGHT,
    FOUND,
    GIVE_UP,
    GONE,
    HOME,
    NOBODY,
    NONE,
    OPPONENT,
    OVER,
    OVERCOME,
    PARTY,
    PLAIN,
    ROLL,
    SPENT,
    SQUARES,
    WON,
    Created,
    Held,
    Keys,
    Numbers,
    State,
    View,
)
from engine.cards import built_in_files
from engine.chance import below, draw, draws, words
from engine.errors import BadData, IllegalMove, NotYourMove
from engine.game import Agent, Decision, Event, Game, Options, Outcome, make, sole
from engine.order import roll_for_first

DICE: Final = "dice"
"""The stream of all throws after the order of play."""
LOWEST, HIGHEST = 2, END - 1
"""R51: who is thrown back comes to these squares at most."""

_TWO: Final = tuple((1 + number // 6, 1 + number % 6) for number in range(36))
"""Two six-sided dice, thrown as one number."""
_THREE: Final = tuple((1 + number // 36, _TWO[number % 36], sum(_TWO[number % 36])) for number in range(216))
"""An ability roll's die, a Challenge roll's two, and the sum of these, thrown as one number."""

_NOTHING: Final[Mapping[str, Any]] = {}
_EVERY_ABILITY: Final = frozenset(range(len(ABILITIES)))
_EVERY_PIECE: Final = frozenset(EQUIPMENT_KEYS)

Dice = Iterator[int]
"""The words that a move's dice are thrown with."""
Handler = Callable[[State, int, Any, list[Event]], None]


class ArtifactOptions(Options):
    """What the table's host may choose: the scenario's key (None draws one), and how Challenges are read (R40).

    `challenges`: "corrected" is overcome by an ability roll that is equal or higher, "printed" by a lower one.
    """

    scenario: str | None = None
    challenges: Literal["corrected", "printed"] = "corrected"


class Artifact(Game[State, Any, View]):
    """Artifact, for 2 to 6 players."""

    key: ClassVar[str] = "artifact"
    version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 6
    out_of_turn: ClassVar[frozenset[str]] = frozenset({DEFEND})
    options_type: ClassVar[type[Options]] = ArtifactOptions

    def __init__(self, card_list: CardList) -> None:
        self.card_list = card_list
        self.catalogue = Catalogue(card_list)
        self._scenarios = self.catalogue.scenarios
        self._handlers: dict[str, tuple[type, Handler]] = {
            PARTY: (m.Create, self._create),
            ROLL: (m.Roll, self._roll),
            DIRECTION: (m.Go, self._go),
            OPPONENT: (m.Meet, self._meet),
            ABILITY: (m.Name, self._name),
            ATTACK: (m.Use, self._attack),
            DEFEND: (m.Use, self._defend),
            CHALLENGE: (m.Use, self._face_it),
            GIVE_UP: (m.GiveUp, self._give_up),
        }
        self._kinds = frozenset(kind for kind, _ in self._handlers.values())

    @property
    def agents(self) -> Mapping[str, Agent[View, Any]]:
        return AGENTS

    def variants(self, seats: int) -> Sequence[Options]:
        read = [ArtifactOptions(scenario=scenario.key) for scenario in self.catalogue.scenarios]
        return [*read, ArtifactOptions(challenges="printed")]

    @property
    def cards_digest(self) -> str:
        return self.catalogue.digest

    def load_options(self, data: Mapping[str, Any], *, strict: bool = False) -> Options:
        options = super().load_options(data, strict=strict)
        self._number(options)
        return options

    def _number(self, options: Options) -> int | None:
        """The number of the scenario that the options name; None where one is to be drawn. Raises `BadData`."""
        key = options.scenario if isinstance(options, ArtifactOptions) else None
        if key is not None and key not in self.catalogue.numbers:
            raise BadData(f"options of {self.key}, scenario: there is none of this key", ("scenario",))
        return None if key is None else self.catalogue.numbers[key]

    # -- set-up

    def new(self, seats: int, options: Options, seed: bytes) -> State:
        self.check_seats(seats)
        chosen = self._number(options)
        state = State(self.catalogue, seats, seed)
        if chosen is None:
            state.drawn = True
            state.scenario = draw(seed, state.counters, "scenario", len(self.catalogue.scenarios))
        else:
            state.scenario = chosen
        state.printed = isinstance(options, ArtifactOptions) and options.challenges == "printed"
        for seat in range(seats):
            thrown = draws(seed, state.counters, f"party {seat}", CHOICE, ROLLS)
            state.rolls[seat] = tuple([1 + number for number in thrown])
        return state

    def opening(self, state: State) -> list[Event]:
        scenario = self._scenarios[state.scenario]
        facts = {"scenario": scenario.key, "drawn": state.drawn}
        opened = Event("scenario", None, facts, final=state.drawn)
        return [opened, *[self._rolled_party(state, seat) for seat in range(state.seats)]]

    def _rolled_party(self, state: State, seat: int) -> Event:
        return Event("rolled_party", seat, {}, {"rolls": list(state.rolls[seat])}, (seat,), True)

    # -- decisions
    # Agents that think ahead play a match some thousand times a minute. So what is asked most is looked up, not
    # worked out anew, and events are made by `make`.

    def pending(self, state: State) -> tuple[Decision, ...]:
        phase = state.phase
        if phase == PARTY:
            return _creating(state.waiting)
        if phase == OVER:
            return ()
        return sole(state.moves, state.opponent if phase == DEFEND else state.active, phase)

    def apply(self, state: State, seat: int, move: object) -> list[Event]:
        phase = state.phase
        if phase == PARTY:
            asked = seat >= 0 and bool(state.waiting >> seat & 1)
        else:
            asked = phase != OVER and seat == (state.opponent if phase == DEFEND else state.active)
        if not asked:
            raise NotYourMove
        kind, handler = self._handlers[phase]
        if type(move) is not kind:
            raise IllegalMove("other-decision" if type(move) in self._kinds else "unknown-move")
        events: list[Event] = []
        handler(state, seat, move, events)
        return events

    # -- the parties (R48, R67)

    def _create(self, state: State, seat: int, move: m.Create, events: list[Event]) -> None:
        rolls = state.rolls[seat]
        due = rolls.count(CHOICE)
        if len(move.tens) != due:
            raise IllegalMove("wrong-number-of-tens", need=due, have=len(move.tens))
        if not _EVERY_ABILITY.issuperset(move.tens):
            raise IllegalMove("no-such-ability")
        if len(move.equipment) != CHOSEN:
            raise IllegalMove("wrong-number-of-pieces", need=CHOSEN, have=len(move.equipment))
        if not _EVERY_PIECE.issuperset(move.equipment):
            raise IllegalMove("no-such-equipment")
        if len(set(move.equipment)) < CHOSEN:  # R52
            raise IllegalMove("same-equipment")
        equipment = tuple(sorted(move.equipment, key=EQUIPMENT_KEYS.index))
        state.moves += 1
        state.waiting &= ~(1 << seat)
        state.created[seat] = Created(move.tens, equipment)
        secret = {"tens": [ABILITIES[ability] for ability in move.tens], "equipment": list(equipment)}
        events.append(make(Event, ("created", seat, {}, secret, (seat,), False)))
        if not state.waiting:
            self._show_sheets(state, events)
            self._roll_for_order(state, events)

    def _show_sheets(self, state: State, events: list[Event]) -> None:
        parties: list[dict[str, Any]] = []
        for seat, created in enumerate(state.created):
            assert created
            party = members(state.rolls[seat], created.tens)
            state.members[seat] = party
            state.counts[seat] = counted(party)
            state.wounds[seat] = (WELL,) * MEMBERS
            state.aids[seat] = tuple(sorted(created.equipment))
            abilities = [list(map(ABILITIES.__getitem__, member)) for member in party]
            parties.append({"members": abilities, "equipment": list(created.equipment)})
        state.rolls = [()] * state.seats
        state.created = [None] * state.seats
        events.append(Event("parties", None, {"parties": parties}, final=True))

    def _roll_for_order(self, state: State, events: list[Event]) -> None:
        """Each rolls a ten-sided die, and the highest begins (R59)."""

        def throw(seats: Sequence[int]) -> list[tuple[int, int]]:
            thrown = draws(state.key, state.counters, "order", 10, len(seats))
            return [(seat, 1 + number) for seat, number in zip(seats, thrown, strict=True)]

        state.order, first = roll_for_first(state.seats, throw)
        state.first = state.active = first
        state.phase = ROLL
        facts = {"rolls": [list(roll) for roll in state.order]}
        events.append(Event("order", first, facts, final=True))

    # -- movement

    def _dice(self, state: State) -> Dice:
        return words(state.key, state.counters, DICE)

    def _roll(self, state: State, seat: int, move: m.Roll, events: list[Event]) -> None:
        """The direction follows but for those without the Artifact once it has been taken (R50)."""
        state.moves += 1
        dice = words(state.key, state.counters, DICE)
        die = 1 + below(dice, 6)
        at = state.at[seat]
        if state.holder == seat or (at == END and state.lies != END):
            step = BACK
        elif state.lies == END or at == HOME:
            step = FORWARD
        else:
            state.die = die
            state.phase = DIRECTION
            events.append(make(Event, ("rolled", seat, {"die": die}, _NOTHING, (), True)))
            return
        self._travel(state, seat, die, step, dice, events)

    def _go(self, state: State, seat: int, move: m.Go, events: list[Event]) -> None:
        if move.forward is not True and move.forward is not False:
            raise IllegalMove("no-such-direction")
        state.moves += 1
        die, state.die = state.die, 0
        self._travel(state, seat, die, FORWARD if move.forward else BACK, self._dice(state), events)

    def _travel(self, state: State, seat: int, die: int, step: int, dice: Dice, events: list[Event]) -> None:
        """R55: the move stops, the Artifact is taken, a holder on 1 wins, there is a fight, there is an encounter."""
        at, lies = state.at[seat], state.lies
        to = at + die * step
        if to < HOME:
            to = HOME
        elif to > END:
            to = END
        takes = lies != GONE and (at < lies <= to or to <= lies < at)
        if takes:
            to = lies
        state.at[seat] = to
        state.step = step
        state.journal[seat * ENTRIES + SQUARES] += abs(to - at)
        rolled = state.phase == ROLL
        direction = "forward" if step == FORWARD else "back"
        facts = {"die": die, "from": at, "to": to, "direction": direction, "round": state.round}
        events.append(make(Event, ("moved", seat, facts, _NOTHING, (), rolled)))
        if takes:
            self._take(state, seat, "reached" if lies == END else "picked_up", events)
        if to == HOME:
            if state.holder == seat:
                self._finish(state, events)
            else:
                self._end_turn(state, events)
        elif state.at.count(to) > 1:
            self._look_for_fight(state, seat, dice, events)
        else:
            self._befall(state, seat, dice, events)

    def _take(self, state: State, seat: int, kind: str, events: list[Event]) -> None:
        square = state.at[seat]
        state.holder, state.lies = seat, GONE
        state.hands = (*state.hands, Held(state.round, seat, square))
        facts: dict[str, Any] = {"square": square}
        if kind == "reached":
            facts["scenario"] = self._scenarios[state.scenario].key
        events.append(make(Event, (kind, seat, facts, _NOTHING, (), False)))

    # -- fights (R44, R53, R56)

    def _look_for_fight(self, state: State, seat: int, dice: Dice, events: list[Event]) -> None:
        square, at = state.at[seat], state.at
        holder = state.holder
        if holder not in (NOBODY, seat) and at[holder] == square:
            self._begin_fight(state, seat, holder, dice, events)
            return
        others = [other for other in range(state.seats) if at[other] == square and other != seat]
        if len(others) == 1:
            self._begin_fight(state, seat, others[0], dice, events)
        else:
            state.phase = OPPONENT

    def _meet(self, state: State, seat: int, move: m.Meet, events: list[Event]) -> None:
        other = move.seat
        if other == seat or not 0 <= other < state.seats or state.at[other] != state.at[seat]:
            raise IllegalMove("no-such-opponent")
        state.moves += 1
        self._begin_fight(state, seat, other, self._dice(state), events)

    def _begin_fight(self, state: State, seat: int, other: int, dice: Dice, events: list[Event]) -> None:
        state.opponent = other
        die = 1 + below(dice, 10)
        ability = None if die == CHOICE else ABILITIES[die - 1]
        facts = {"other": other, "square": state.at[seat], "die": die, "ability": ability}
        events.append(make(Event, ("met", seat, facts, _NOTHING, (), True)))
        if die == CHOICE:
            state.phase = ABILITY
        else:
            self._look_for_aids(state, seat, die - 1, dice, events)

    def _name(self, state: State, seat: int, move: m.Name, events: list[Event]) -> None:
        if not 0 <= move.ability < len(ABILITIES):
            raise IllegalMove("no-such-ability")
        state.moves += 1
        events.append(Event("named", seat, {"ability": ABILITIES[move.ability]}))
        self._look_for_aids(state, seat, move.ability, self._dice(state), events)

    def _look_for_aids(self, state: State, seat: int, ability: int, dice: Dice, events: list[Event]) -> None:
        """Who has no fitting Aid is not asked: the sheets are public (R49)."""
        state.ability = ability
        if self._fits(state).isdisjoint(state.aids[seat]):
            self._look_for_answer(state, dice, events)
        else:
            state.phase = ATTACK

    def _look_for_answer(self, state: State, dice: Dice, events: list[Event]) -> None:
        if self._fits(state).isdisjoint(state.aids[state.opponent]):
            self._fight(state, (), dice, events)
        else:
            state.phase = DEFEND

    def _fits(self, state: State) -> frozenset[str]:
        return self._scenarios[state.scenario].fits[state.ability]

    def _attack(self, state: State, seat: int, move: m.Use, events: list[Event]) -> None:
        left = self._without(state, seat, move.aids, self._fits(state))
        state.moves += 1
        state.used = tuple(sorted(move.aids))
        self._spend(state, seat, state.used, left, events)
        self._look_for_answer(state, self._dice(state), events)

    def _defend(self, state: State, seat: int, move: m.Use, events: list[Event]) -> None:
        left = self._without(state, seat, move.aids, self._fits(state))
        state.moves += 1
        used = tuple(sorted(move.aids))
        self._spend(state, seat, used, left, events)
        self._fight(state, used, self._dice(state), events)

    def _fight(self, state: State, theirs: Keys, dice: Dice, events: list[Event]) -> None:
        """Both roll; the lower is Wounded, and what it held goes to the other. Then comes the encounter."""
        seat, other, ability = state.active, state.opponent, state.ability
        rolled = _TWO[below(dice, 36)]
        own = [state.counts[seat][ability], state.counts[other][ability]]
        aids = [self._worth(state, state.used), self._worth(state, theirs)]
        mine, yours = rolled[0] + own[0] + aids[0], rolled[1] + own[1] + aids[1]
        winner = None if mine == yours else seat if mine > yours else other
        facts = {
            "other": other,
            "ability": ABILITIES[ability],
            "dice": rolled,
            "abilities": own,
            "aids": aids,
            "totals": [mine, yours],
            "winner": winner,
        }
        events.append(make(Event, ("fought", seat, facts, _NOTHING, (), True)))
        state.opponent, state.ability, state.used = NOBODY, NONE, ()
        state.journal[seat * ENTRIES + FOUGHT] += 1
        state.journal[other * ENTRIES + FOUGHT] += 1
        if winner is not None:
            state.journal[winner * ENTRIES + WON] += 1
            loser = other if winner == seat else seat
            fell = self._wound(state, loser, dice, events)
            if state.holder == loser:  # R45
                facts = {"other": loser, "square": state.at[winner]}
                state.holder = winner
                state.hands = (*state.hands, Held(state.round, winner, state.at[winner]))
                events.append(make(Event, ("seized", winner, facts, _NOTHING, (), False)))
            if fell and self._is_decided(state, events):
                return
            if fell and loser == seat:
                self._end_turn(state, events)
                return
        self._befall(state, seat, dice, events)

    # -- Aids (R42)

    def _without(self, state: State, seat: int, aids: Keys, fits: frozenset[str]) -> Keys:
        """The Aids that a seat has left without these, which must all fit. Raises `IllegalMove`."""
        if not aids:
            return state.aids[seat]
        left = list(state.aids[seat])
        for key in aids:
            if key not in left:
                raise IllegalMove("aid-not-held", aid=key)
            if key not in fits:
                raise IllegalMove("aid-does-not-fit", aid=key)
            left.remove(key)
        return tuple(left)

    def _spend(self, state: State, seat: int, aids: Keys, left: Keys, events: list[Event]) -> None:
        state.aids[seat] = left
        state.journal[seat * ENTRIES + SPENT] += len(aids)
        scenario = self._scenarios[state.scenario].key
        facts = {"scenario": scenario, "aids": list(aids), "worth": self._worth(state, aids)}
        events.append(make(Event, ("used", seat, facts, _NOTHING, (), False)))

    def _worth(self, state: State, aids: Keys) -> int:
        if not aids:
            return 0
        known = self._scenarios[state.scenario].aids
        return sum([known[key].worth for key in aids])

    # -- encounters and Challenges

    def _befall(self, state: State, seat: int, dice: Dice, events: list[Event]) -> None:
        """The encounter of the square (R47); squares 1 and 30 have none (R55)."""
        square = state.at[seat]
        if square == END:
            self._end_turn(state, events)
            return
        scenario = self._scenarios[state.scenario]
        thrown = _TWO[below(dice, 36)]
        encounter = scenario.parts[square >= SECOND][thrown[0] + thrown[1]]
        facts = {
            "scenario": scenario.key,
            "part": encounter.part + 1,
            "dice": thrown,
            "encounter": encounter.key,
        }
        if encounter.aid:
            held = [*state.aids[seat], encounter.key]
            held.sort()
            state.aids[seat] = tuple(held)
            state.journal[seat * ENTRIES + FOUND] += 1
            events.append(make(Event, ("aid", seat, facts, _NOTHING, (), True)))
            self._end_turn(state, events)
            return
        events.append(make(Event, ("challenge", seat, facts, _NOTHING, (), True)))
        state.encounter = encounter.key
        if encounter.fits.isdisjoint(state.aids[seat]):
            self._face(state, seat, 0, dice, events)
        else:
            state.phase = CHALLENGE

    def _face_it(self, state: State, seat: int, move: m.Use, events: list[Event]) -> None:
        fits = self._scenarios[state.scenario].encounters[state.encounter].fits
        left = self._without(state, seat, move.aids, fits)
        state.moves += 1
        used = tuple(sorted(move.aids))
        self._spend(state, seat, used, left, events)
        self._face(state, seat, self._worth(state, used), self._dice(state), events)

    def _face(self, state: State, seat: int, aids: int, dice: Dice, events: list[Event]) -> None:
        """The ability roll against the Challenge roll (R40, R57)."""
        challenge = self._scenarios[state.scenario].encounters[state.encounter].challenge
        assert challenge
        die, thrown, against = _THREE[below(dice, 216)]
        counts, abilities = state.counts[seat], 0
        for ability in challenge.abilities:
            abilities += counts[ability]
        abilities *= challenge.times
        total = die + abilities + aids
        overcome = against > total if state.printed else total >= against
        facts = {
            "encounter": state.encounter,
            "die": die,
            "abilities": abilities,
            "aids": aids,
            "total": total,
            "dice": thrown,
            "against": against,
            "overcome": overcome,
        }
        events.append(make(Event, ("faced", seat, facts, _NOTHING, (), True)))
        entries = seat * ENTRIES
        state.journal[entries + FACED] += 1
        if overcome:
            state.journal[entries + OVERCOME] += 1
            self._end_turn(state, events)
        else:
            self._suffer(state, seat, challenge, dice, events)

    def _suffer(self, state: State, seat: int, challenge: Challenge, dice: Dice, events: list[Event]) -> None:
        """The penalty of a Challenge that was not overcome (R51, R58)."""
        match challenge.penalty:
            case "turn_lost":
                state.skips[seat] = True
                events.append(Event("turn_lost", seat))
            case "squares_lost":
                self._throw_back(state, seat, challenge.squares, events)
            case "aid_lost":
                if len(set(state.aids[seat])) > 1:
                    state.phase = GIVE_UP
                    return
                self._lose_aid(state, seat, next(iter(state.aids[seat]), None), events)
            case wounds:
                square = state.at[seat]
                fell = self._wound(state, seat, dice, events)
                if not fell and wounds == "two_wounds":
                    fell = self._wound(state, seat, dice, events)
                if fell:
                    if state.holder == seat:
                        self._let_fall(state, seat, square, events)
                    if self._is_decided(state, events):
                        return
        self._end_turn(state, events)

    def _throw_back(self, state: State, seat: int, squares: int, events: list[Event]) -> None:
        """The holder toward 30, others against the move just made; nothing else happens there (R51, R54)."""
        at = state.at[seat]
        back = FORWARD if state.holder == seat else -state.step
        to = min(HIGHEST, max(LOWEST, at + squares * back))
        state.at[seat] = to
        events.append(Event("thrown_back", seat, {"squares": squares, "from": at, "to": to}))

    def _give_up(self, state: State, seat: int, move: m.GiveUp, events: list[Event]) -> None:
        if move.aid not in state.aids[seat]:
            raise IllegalMove("aid-not-held", aid=move.aid)
        state.moves += 1
        self._lose_aid(state, seat, move.aid, events)
        self._end_turn(state, events)

    def _lose_aid(self, state: State, seat: int, aid: str | None, events: list[Event]) -> None:
        if aid is not None:
            left = list(state.aids[seat])
            left.remove(aid)
            state.aids[seat] = tuple(left)
        facts = {"scenario": self._scenarios[state.scenario].key, "aid": aid}
        events.append(Event("aid_lost", seat, facts))

    # -- wounds (R43, R45, R58)

    def _wound(self, state: State, seat: int, dice: Dice, events: list[Event]) -> bool:
        """Wounds a member at random; says whether the party is out with its last one."""
        wounds, party = state.wounds[seat], state.members[seat]
        exposed = _exposed(wounds)
        member = exposed[below(dice, len(exposed))]
        abilities = party[member]
        if wounds[member] == WELL:
            state.wounds[seat] = (*wounds[:member], WOUNDED, *wounds[member + 1 :])
            lost = left = abilities
            if abilities:
                # Of an ability that the member has more than once the first goes: which one, no event would tell.
                place = abilities.index(abilities[below(dice, len(abilities))])
                lost = abilities[place : place + 1]
                left = abilities[:place] + abilities[place + 1 :]
            kind = "wounded"
        else:
            state.wounds[seat] = (*wounds[:member], GONE_MEMBER, *wounds[member + 1 :])
            lost, left = abilities, ()
            kind = "member_out"
        if lost:
            state.members[seat] = (*party[:member], left, *party[member + 1 :])
            counts = list(state.counts[seat])
            for ability in lost:
                counts[ability] -= 1
            state.counts[seat] = tuple(counts)
        facts = {"member": member, "lost": [ABILITIES[ability] for ability in lost]}
        events.append(make(Event, (kind, seat, facts, _NOTHING, (), True)))
        if kind == "wounded" or member != LEADER:
            return False
        events.append(Event("party_out", seat, {"square": state.at[seat]}))
        state.at[seat] = GONE
        state.skips[seat] = False
        state.aids[seat] = ()
        return True

    def _let_fall(self, state: State, seat: int, square: int, events: list[Event]) -> None:
        """The Artifact of a party that is out falls; a party that stands there takes it at once (R45)."""
        state.holder, state.lies = NOBODY, square
        events.append(Event("fell", seat, {"square": square}))
        for turn in range(1, state.seats):
            other = (seat + turn) % state.seats
            if state.at[other] == square:
                self._take(state, other, "picked_up", events)
                return

    # -- the end of a turn and of the match

    def _end_turn(self, state: State, events: list[Event]) -> None:
        state.encounter = ""
        state.step = 0
        following = state.active
        while True:
            following += 1
            if following == state.seats:
                following = 0
            if following == state.first:
                state.round += 1
            if state.at[following] == GONE:
                continue
            if not state.skips[following]:
                break
            state.skips[following] = False
            events.append(Event("skipped", following))
        state.active = following
        state.phase = ROLL
        if state.at[following] == state.lies:  # R54
            self._take(state, following, "picked_up", events)

    def _is_decided(self, state: State, events: list[Event]) -> bool:
        """Ends the match where one party is left (R46)."""
        if state.at.count(GONE) < state.seats - 1:
            return False
        self._finish(state, events)
        return True

    def _finish(self, state: State, events: list[Event]) -> None:
        state.phase = OVER
        state.encounter = ""
        state.step = 0
        outcome = self.outcome(state)
        assert outcome
        key = self._scenarios[state.scenario].key
        facts = {"scenario": key, "winner": outcome.winners[0], "why": outcome.why, "round": state.round}
        events.append(Event("over", None, facts, final=True))

    def outcome(self, state: State) -> Outcome | None:
        """Who brought the Artifact home ("home"), or is the last ("last"), has won; the others rank alike."""
        if state.phase != OVER:
            return None
        home = state.holder != NOBODY and state.at[state.holder] == HOME
        winner = state.holder if home else next(s for s, square in enumerate(state.at) if square != GONE)
        scores = tuple([int(seat == winner) for seat in range(state.seats)])
        return Outcome(tuple([2 - score for score in scores]), scores, "home" if home else "last")

    # -- random play, copies, views

    def sample(self, state: State, seat: int, rng: Random) -> Any:
        return sample_move(state, seat, rng)

    def copy(self, state: State) -> State:
        return state.copy()

    def view(self, state: State, viewer: int | None) -> View:
        facts: dict[str, Any] = {name: getattr(state, name) for name in _SHARED}
        facts |= {name: tuple(getattr(state, name)) for name in _LISTED}
        return View.of(
            facts
            | {
                "viewer": viewer,
                "pending": self.pending(state),
                "outcome": self.outcome(state),
                "rolls": () if viewer is None else state.rolls[viewer],
                "created": None if viewer is None else state.created[viewer],
            }
        )

    def imagine(self, view: View, rng: Random) -> State:
        """What is unknown: the dice to come, and until the sheets are shown the others' rolls and choices."""
        state = State(self.catalogue, view.seats, rng.randbytes(32))
        for name in _SHARED:
            setattr(state, name, getattr(view, name))
        state.catalogue = self.catalogue
        for name in _LISTED:
            setattr(state, name, list(getattr(view, name)))
        if view.phase == PARTY:
            for seat in range(view.seats):
                if seat == view.viewer:
                    state.rolls[seat], state.created[seat] = view.rolls, view.created
                else:
                    self._imagine_party(state, seat, rng)
        return state

    def _imagine_party(self, state: State, seat: int, rng: Random) -> None:
        state.rolls[seat] = tuple([rng.randint(1, CHOICE) for _ in range(ROLLS)])
        if not state.waiting >> seat & 1:
            state.created[seat] = Created(*sample_party(state, seat, rng))

    # -- data

    def dump(self, state: State) -> dict[str, Any]:
        return snapshot.dump(state)

    def load(self, data: Mapping[str, Any]) -> State:
        return snapshot.load(data, self.catalogue)

    def dump_move(self, move: Any) -> dict[str, Any]:
        return m.dump_move(move)

    def load_move(self, data: Mapping[str, Any]) -> Any:
        return m.load_move(data)


_SHARED: Final = ("catalogue", "order", "used", "hands", *PLAIN)
_LISTED: Final = ("members", "wounds", "counts", "aids", "at", "skips", "journal")
"""What a view and a state have under the same names, in the state as it is or as a list."""


@cache
def _creating(waiting: int) -> tuple[Decision, ...]:
    """The decisions of those who still make their parties: all arose before the first move."""
    return tuple([Decision(0, seat, PARTY) for seat in range(waiting.bit_length()) if waiting >> seat & 1])


@lru_cache(maxsize=1 << 10)
def _exposed(wounds: Numbers) -> Numbers:
    """The members that can be wounded: all still in but the leader, who is the last (R58)."""
    others = tuple([n for n, wound in enumerate(wounds) if n != LEADER and wound != GONE_MEMBER])
    return others or (LEADER,)


def create(card_list: object | None = None) -> Artifact:
    """The game with the built-in scenarios, and with those of `card_list`: an owner's files by name, as JSON data.

    Raises `BadData`.
    """
    built_in = built_in_files("artifact", "scenarios")
    return Artifact(read_card_list(built_in, {} if card_list is None else card_list, Artifact.key))
