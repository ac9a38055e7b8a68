"""Answers in secret at a table of words, where everybody hears that one has come.  [G-11]"""

from mudserver.messages import EventMessage
from mudserver.tables import requests as r
from tests.mudserver.tables.driver import Driver
from variants.catalogue import CATALOGUE
from variants.words.events import TradeAnswered


def trading() -> Driver:
    """Ann trades with Bob and with a computer player."""
    driver = Driver(variant=CATALOGUE["words"]).sits("b")
    driver.does(r.AddBot("a"))
    driver.all_start()
    game = driver.table.game
    while game.state.turn != 0 or game.state.phase != "main":
        seat = game.window.seats[0]
        if seat == 2:
            driver.computer_plays(2)
        else:
            driver.plays("ab"[seat], "done" if game.state.phase == "main" else "")
    one, other = [card.lower() for card in game.state.players[0].hand if card != "*"][:2]
    driver.plays("a", f"trade {one} with bob, {other} with {game.names[2].lower()}")
    return driver


def answered(driver: Driver, who: str) -> list[tuple[TradeAnswered, str]]:
    heard = [m for m in driver.to(who, EventMessage) if isinstance(m.event, TradeAnswered)]
    return [(m.event, m.mark) for m in heard]


def test_a_computers_answer_is_marked_for_nobody_else_while_another_is_missing():
    driver = trading()
    driver.computer_plays(2)
    by_computer = [answered(driver, who) for who in "ab"]
    driver = trading()
    driver.plays("b")
    by_person = [answered(driver, who) for who in "ab"]
    assert by_computer[0] == by_person[0] == [(TradeAnswered(None, None, 1), "")]
    assert by_computer[1] == [(TradeAnswered(None, None, 1), "")] != by_person[1]
