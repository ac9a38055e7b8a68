"""How people get to a game: a table of their own, the best open one, or computer players alone.

Rule 1: what was typed is checked before anybody leaves a table for it.
Rule 2: computer players that nobody chose have the level that the person has set, or that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mudserver.accounts.person import Person
from mudserver.cluster.directory import Directory
from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.lobby.elsewhere import PeopleElsewhere
from mudserver.messages import Notice
from mudserver.outbox import Outbox
from mudserver.service import texts
from mudserver.service.account_service import AccountService
from mudserver.service.best_elsewhere import best_elsewhere
from mudserver.service.game_choices import GameChoices
from mudserver.tables import requests
from mudserver.tables.levels import parse_level
from mudserver.tables.manager import TableManager
from mudserver.tables.options import parse_typed_options
from mudserver.tables.presets import presets_of, read_open_line
from mudserver.tables.texts import IN_A_GAME
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.text import join_words

LONG_MIN = 30  # minutes of a game that newcomers are told how to shorten
ALONE = {"pace": "person", "clocks": "off", "who": "invited"}  # options of `practice`


class GameStarter:
    def __init__(
        self,
        catalogue: Catalogue,
        outbox: Outbox,
        accounts: AccountService,
        tables: TableManager,
        choices: GameChoices,
        submit: Callable[[int, requests.Request], None],
        avoids: Callable[[str, Iterable[str]], bool],
        directory: Directory,
        people: PeopleElsewhere,
    ) -> None:
        """
        Args:
            submit: Hands a request to a table, and counts it on its sender.
            avoids: Whether a person ignores one of those people or is ignored.
        """
        self._catalogue, self._outbox, self._submit = catalogue, outbox, submit
        self._accounts, self._tables, self._avoids = accounts, tables, avoids
        self._choices, self._directory, self._people = choices, directory, people

    def open_table(self, person: Person, name: str, options: str, has_autopass: bool) -> None:
        """Open a table.  *options* stand behind `open GAME`: a preset, and options."""
        variant = find_variant(name, self._catalogue)
        typed = read_open_line(variant, options)
        self._tables.open_table(person, variant.name, typed, has_autopass)
        presets = presets_of(variant)
        is_new = not typed and not self._accounts.games_finished(person, variant.name)
        if is_new and presets["standard"].minutes >= LONG_MIN and "short" in presets:
            self._tell(person, texts.SHORTER.format(variant.name, presets["short"].minutes))

    def play(
        self,
        person: Person,
        name: str | None,
        preset: str | None,
        computers: str,
        *,
        is_rated: bool,
        has_autopass: bool,
        is_program: bool,
        go: Callable[[int, str], bool],
    ) -> bool:
        """Sit down at the best open table of a game, here or on another server, or open one.

        Args:
            go: Goes to a table of another server for a game; False: nobody can from here.
            name: None: the last game; who has finished none is asked.
            computers: The preference of that name.

        Returns:
            Whether a seat was asked for.

        Raises:
            UserError: The person plays already, or has no ratings; no such game or preset.
        """
        if is_rated and person.is_guest:
            raise UserError(texts.RATED_NEEDS_ACCOUNT)
        name = name or self._tables.last_game(person.id) or self._accounts.last_variant(person)
        variant = find_variant(name, self._catalogue) if name else None
        if variant is None and is_rated:
            raise UserError(texts.RATED_WHICH.format(next(iter(self._catalogue))), "usage")
        if variant is not None:
            typed = {} if preset is None else {"preset": preset}
            typed["fill"] = self._level(person, variant, computers) or "off"
            if is_rated:
                typed |= {"rated": "on", "who": "accounts"}
                typed["programs"] = "on" if is_program else "off"
            options = parse_typed_options(variant, typed)
        if waits := self._tables.pass_over(person.id, is_rated=is_rated):
            self._tell(person, waits)
            return False
        if variant is None:
            self._choices.ask(person.id, "play")
            names = [f"{n} {name}" for n, name in enumerate(self._catalogue, start=1)]
            self._tell(person, f"Which game? {', '.join(names)}")
            return False
        sit = requests.Sit(
            *(person.id, person.name, person.is_guest, has_autopass),
            is_program=is_program,
            is_play=True,
        )
        number = self._tables.best_table(
            sit, options, variant.name, lambda people: self._avoids(person.id, people)
        )
        if number is not None:
            self._submit(number, sit)
            return True
        there = best_elsewhere(
            self._directory, self._people, sit, options, variant.name, self._avoids
        )
        if there is not None and go(there, variant.name):
            return False
        self._tables.open_table(person, variant.name, typed, has_autopass, is_play=True)
        return True

    def practise(
        self, person: Person, name: str, typed: Sequence[str], computers: str, has_autopass: bool
    ) -> None:
        """Open a table for the person and computer players alone, and begin at once.

        Args:
            typed: A level, and options.
            computers: The preference of that name.
        """
        if self._tables.is_playing(person.id):
            table = self._tables.table_of(person.id) or 0
            raise UserError(IN_A_GAME.format(table), tables=(table,))
        variant = find_variant(name, self._catalogue)
        levels = [word for word in typed if "=" not in word]
        if len(levels) > 1:
            raise UserError(f"Give one level. You gave {join_words(levels)}.", "usage")
        level = parse_level(variant, levels[0] if levels else "")[0]
        if not levels:
            level = self._level(person, variant, computers)
        options = read_open_line(variant, " ".join(word for word in typed if "=" in word))
        number = self._tables.open_table(
            person,
            variant.name,
            {**variant.practice, **ALONE, "fill": level, **options},
            has_autopass,
            is_play=True,
            is_practice=True,
        )
        self._submit(number, requests.Start(person.id))
        self._tell(person, texts.PRACTICE_HINT)

    def _level(self, person: Person, variant: AnyVariant, computers: str) -> str:
        return self._accounts.computer_level(person, variant.name, list(variant.bots), computers)

    def _tell(self, person: Person, text: str) -> None:
        self._outbox.send(person.id, Notice(text))
