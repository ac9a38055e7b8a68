"""The pages in the host's own words."""

from __future__ import annotations

import re

import pytest

from mudserver.config.schema import Config, ModerationConfig, PeopleLimits, ServerConfig
from mudserver.errors import ConfigError
from mudserver.host_pages import FILE_BYTES_MAX, load_host_pages
from tests.mudserver.service.test_moderation import cast, says, told


def test_without_files_the_spans_are_those_of_the_settings():
    kept = ModerationConfig(keep_days=31, report_keep_days=17)
    pages = load_host_pages(Config(moderation=kept, server=ServerConfig(log_addresses=False)))
    text = " ".join(pages.privacy)
    assert "17 days" in text and "31 days after the ban" in text and "system log" not in text
    assert "in the system log" in " ".join(load_host_pages(Config()).privacy)
    assert not re.search("[{}]", text) and "Be polite" in pages.conduct[0]


def test_a_file_of_the_host_is_shown_without_what_moves_a_cursor(tmp_path):
    file = tmp_path / "conduct.txt"
    file.write_text("\nBe kind.\x1b[2J\n\n  No bots.  \n")
    pages = load_host_pages(Config(moderation=ModerationConfig(conduct=str(file))))
    assert ("Be kind.[2J", "", "  No bots.") == pages.conduct


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"\xff", "no UTF-8"), (b"x" * (FILE_BYTES_MAX + 1), "longer than")],
)
def test_a_file_that_cannot_be_shown_is_refused_with_key_and_reason(tmp_path, content, reason):
    file = tmp_path / "privacy.txt"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=rf"^moderation\.privacy: {file}: .*{reason}"):
        load_host_pages(Config(moderation=ModerationConfig(privacy=str(file))))


def test_people_read_them_as_help():
    async def scenario(server):
        here = await cast(server, ann="player")
        return await says(here["ann"], "help conduct"), await says(here["ann"], "help privacy")

    conduct, privacy = told(scenario)
    assert "Be polite." in conduct and "type report NAME REASON" in conduct
    assert "Privacy on this server" in privacy and "Games are kept 365 days" in privacy


@pytest.mark.parametrize(
    ("keep_days", "unused_days", "sentence"),
    [
        (100, 20, "is deleted after 100 days. One that finished no game, and that nobody came back "
                  "to after its first day, is deleted after 20 days. Not so those of the staff"),
        (100, 0, "deleted after 100 days. Not so those"),
        (0, 20, "One that finished no game"),
        (0, 0, "An account that nobody uses stays."),
    ],
)  # fmt: skip
def test_help_accounts_says_when_an_account_goes(keep_days, unused_days, sentence):
    people = PeopleLimits(keep_days=keep_days, keep_unused_days=unused_days, deletion_days=9)
    pages = load_host_pages(Config(people=people))
    text = " ".join(pages.accounts)
    assert sentence in text and "after 9 days" in text and not re.search("[{}]", text)
    assert ("100 days" in " ".join(pages.privacy)) is bool(keep_days)
