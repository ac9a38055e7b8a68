"""The kinds of streams: how each is called, and what is none."""

import pytest

from mudserver.journal.streams import (
    ACCOUNT_STREAMS,
    RESUME_SECRET_STREAM,
    SERVER_STREAMS,
    STREAM_KINDS,
    TABLE_STREAMS,
    stream_kind,
)


def test_stored_names_of_streams_never_change():
    assert "table/12" == TABLE_STREAMS.name(12)
    assert "person/7" == ACCOUNT_STREAMS.name(7)
    assert "house/1" == RESUME_SECRET_STREAM


def test_a_stream_is_of_the_kind_that_named_it():
    for kind in STREAM_KINDS:
        assert kind is stream_kind(kind.name(1))
        assert 1 == kind.number(kind.name(1))
    assert 305 == TABLE_STREAMS.number("table/305")


@pytest.mark.parametrize(
    "name", ["", "table", "table/", "table/0", "table/01", "table/-1", "table/1x", "table/1\n",
             "table/١", "kitchen/1", "a table/1", "house/2"]
)  # fmt: skip
def test_a_name_that_no_server_writes_is_of_no_kind(name):
    assert stream_kind(name) is None


def test_the_server_has_one_stream_of_its_own():
    assert not SERVER_STREAMS.owns(SERVER_STREAMS.name(2))
