from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.sanitize import sanitize
from mudserver.ui.editor import EDIT_ACTIONS, Editor
from mudserver.ui.keys import Key
from mudserver.ui.width import cell_width


def editor_at(text: str, history_max=3, chars_max=80) -> Editor:
    """An editor with *text*, the cursor where the | stands."""
    editor = Editor(chars_max, history_max)
    before, _, after = text.partition("|")
    editor.replace_text(before + after, len(before))
    return editor


def seen(editor: Editor) -> str:
    return editor.text[: editor.cursor] + "|" + editor.text[editor.cursor :]


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("draw 7|", Key.BACKSPACE, "draw |"),
        ("|draw", Key.BACKSPACE, "|draw"),
        ("dr|aw", Key.DELETE, "dr|w"),
        ("draw|", Key.DELETE, "draw|"),
        ("dr|aw", Key.LEFT, "d|raw"),
        ("|draw", Key.LEFT, "|draw"),
        ("dr|aw", Key.RIGHT, "dra|w"),
        ("draw|", Key.RIGHT, "draw|"),
        ("dr|aw", Key.HOME, "|draw"),
        ("dr|aw", Key.END, "draw|"),
        ("tell bob  |hi", Key.WORD_LEFT, "tell |bob  hi"),
        ("tell| bob hi", Key.WORD_RIGHT, "tell bob| hi"),
        ("tell bob| ", Key.WORD_RIGHT, "tell bob |"),
        ("tell bob|", Key.KILL_WORD_BEFORE, "tell |"),
        ("tell| bob hi", Key.KILL_WORD_AFTER, "tell| hi"),
        ("tell| bob", Key.KILL_TO_END, "tell|"),
        ("tell| bob", Key.KILL_TO_START, "| bob"),
        ("x\u0301y|", Key.LEFT, "x\u0301|y"),
        ("x\u0301|y", Key.LEFT, "|x\u0301y"),
        ("x\u0301|y", Key.BACKSPACE, "|y"),
        ("|x\u0301y", Key.DELETE, "|y"),
    ],
)
def test_a_key_changes_the_line(before, key, after):
    editor = editor_at(before)
    EDIT_ACTIONS[key](editor)
    assert after == seen(editor)


def test_what_was_killed_last_comes_back():
    editor = editor_at("tell bob| hi")
    editor.kill_word_before()
    editor.kill_to_start()
    editor.kill_to_start()  # nothing to kill: keeps what there was
    editor.move_end()
    editor.yank()
    assert " hitell |" == seen(editor)


def test_history_is_bounded_and_holds_no_repetition_or_blank():
    editor = Editor(80, 3)
    for text in ("one", "two", "two", " ", "three", "four"):
        editor.insert(text)
        editor.submit()
    seen_back = []
    for _ in range(5):
        editor.history_previous()
        seen_back.append(editor.text)
    assert ["four", "three", "two", "two", "two"] == seen_back


def test_an_editor_without_history_remembers_nothing():
    editor = Editor(80, 0, sanitizer=str)
    editor.insert("hunter2")
    assert "hunter2" == editor.submit()
    editor.history_previous()
    assert "" == editor.text


def test_a_line_never_grows_over_its_limit():
    editor = Editor(10, 3)
    assert 0 == editor.insert("12345")
    editor.move_home()
    assert 3 == editor.insert("abcdefgh")
    assert "abcde|12345" == seen(editor)


TEXTS = st.text("ab 漢é\u0301\u0302\u200d\x1b\u05d0", max_size=30)


@given(st.lists(TEXTS | st.sampled_from(sorted(EDIT_ACTIONS, key=lambda key: key.name))))
def test_the_document_is_clean_bounded_and_the_cursor_in_it(steps):
    editor = Editor(40, 3)
    for step in steps:
        if isinstance(step, Key):
            EDIT_ACTIONS[step](editor)
        else:
            editor.insert(step)
        assert 0 <= editor.cursor <= len(editor.text) <= 40
        assert sanitize(editor.text) == editor.text


@given(TEXTS, TEXTS)
def test_two_pieces_are_one_text(first, second):
    whole, parts = Editor(80, 0), Editor(80, 0)
    whole.insert(first + second)
    parts.insert(first)
    parts.insert(second)
    assert seen(whole) == seen(parts)


def test_in_a_wider_window_more_of_the_line_comes_into_view():
    editor = Editor(80, 0)
    editor.insert("a line that is much longer than the window")
    assert "window" == editor.visible_window(editor.text, 9)[0]
    assert "longer than the window" == editor.visible_window(editor.text, 33)[0]
    assert editor.text == editor.visible_window(editor.text, 60)[0]


@given(TEXTS, st.lists(st.integers(0, 30), max_size=8), st.integers(4, 20))
def test_the_window_holds_the_cursor_and_is_never_too_wide(text, cursors, room):
    editor = Editor(80, 0)
    editor.insert(text)
    for cursor in cursors:
        editor.cursor = min(cursor, len(editor.text))
        before, after = editor.visible_window(editor.text, room)
        assert cell_width(before + after) <= room
        assert editor.text[: editor.cursor].endswith(before)
        assert editor.text[editor.cursor :].startswith(after)
        if cell_width(editor.text) <= room:
            assert before + after == editor.text


def test_history_and_killed_text_go_over_to_another_editor():
    editor = Editor(20, 3)
    for line in ("one", "two", "three", "four"):
        editor.insert(line)
        editor.submit()
    editor.insert("kill me")
    editor.kill_to_start()
    memory = editor.memory
    assert (("four", "three", "two"), "kill me") == memory
    other = Editor(20, 2)
    other.restore_memory(*memory)
    assert (("four", "three"), "kill me") == other.memory
    other.history_previous()
    other.history_previous()
    assert "three" == other.text
    other.yank()
    assert "threekill me" == other.text


@pytest.mark.parametrize(
    ("history", "kept"),
    [
        (["too long a line", "\x1b[2J"], ("too l", "[2J")),
        (["too long a line", "plain", "oldest"], ("too l", "plain")),
        (["e\u0301 a line", "plain\n"], ("\xe9 a l", "plain")),
    ],
)
def test_what_is_restored_is_bounded_and_clean(history, kept):
    editor = Editor(5, 2)
    editor.restore_memory(history, "a long killed text")
    assert (kept, "a lon") == editor.memory
