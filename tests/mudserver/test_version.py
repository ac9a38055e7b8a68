"""Every build has a version of its own: from tags and commits, else from the files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mudserver.__main__ import main
from mudserver.version import PRODUCT, of_installed, of_sources

ROOT = Path(__file__).parents[2]
TREE = re.compile(r"0\+tree\.[0-9a-f]{12}")
AUTHOR = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
ENVIRONMENT = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull}


def git(root: Path, *words: object) -> str:
    """Without the settings of whoever runs this, and of a hook that does."""
    return subprocess.run(
        ["git", "-C", root, *AUTHOR, *map(str, words)], env=ENVIRONMENT,
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip


def commit(root: Path, text: str = "x = 1\n") -> str:
    """Commit *text* as the product; the first twelve digits of the commit."""
    (root / "mudserver" / "x.py").write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "a commit")
    return git(root, "rev-parse", "--short=12", "HEAD")


def unpacked_archive(checkout: Path, to: Path) -> Path:
    to.mkdir(parents=True)
    git(checkout, "archive", "--output", to.parent / "archive.tar", "HEAD")
    subprocess.run(["tar", "xf", to.parent / "archive.tar", "-C", to], check=True)
    return to


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Product files that no repository knows."""
    root = tmp_path / "sources"
    (root / "mudserver").mkdir(parents=True)
    (root / "mudserver" / "x.py").write_text("x = 1\n")
    (root / "notes.txt").write_text("not of the product\n")
    for name in (".gitattributes", ".git_archival.txt"):
        shutil.copyfile(ROOT / name, root / name)
    return root


@pytest.fixture
def checkout(sources: Path) -> Path:
    git(sources, "init", "--quiet")
    commit(sources)
    return sources


def test_a_tagged_commit_has_the_version_of_its_tag(checkout):
    git(checkout, "tag", "v1.2.3")
    assert "1.2.3" == of_sources(checkout)


def test_commits_after_a_tag_are_counted_and_named(checkout):
    git(checkout, "tag", "-a", "v1.2", "-m", "Lockdown 1.2")
    commit(checkout)
    assert f"1.2.post2+g{commit(checkout)}" == of_sources(checkout)


def test_without_a_tag_of_a_version_all_commits_are_counted(checkout):
    git(checkout, "tag", "vintage")
    assert f"0.1.0.post2+g{commit(checkout)}" == of_sources(checkout)


def test_a_shallow_clone_has_a_version_too(checkout, tmp_path):
    git(checkout, "tag", "v1.2")
    named = commit(checkout)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", "--no-tags", checkout.as_uri(), clone)
    assert f"0.1.0.post1+g{named}" == of_sources(clone)


def test_changed_product_files_are_another_build_and_others_are_not(checkout):
    git(checkout, "tag", "v1.2")
    (checkout / "notes.txt").write_text("changed\n")
    assert "1.2" == of_sources(checkout)
    seen = set()
    for name, text in (("x.py", "x = 2\n"), ("x.py", "x = 3\n"), ("new.py", "")):
        (checkout / "mudserver" / name).write_text(text)
        seen.add(of_sources(checkout))
    assert 3 == len(seen)
    assert all(re.fullmatch(r"1\.2\+tree\.[0-9a-f]{12}", each) for each in seen)
    named = commit(checkout)
    (checkout / "mudserver" / "x.py").write_text("x = 4\n")
    assert of_sources(checkout).startswith(f"1.2.post1+g{named}.tree.")


@pytest.mark.parametrize("tag", ["v1.2.3", None])
def test_an_unpacked_archive_knows_its_commit(checkout, tmp_path, tag):
    named = git(checkout, "rev-parse", "--short=12", "HEAD")
    if tag:
        git(checkout, "tag", tag)
    archive = unpacked_archive(checkout, tmp_path / "unpacked" / "archive")
    assert ("1.2.3" if tag else f"0.1.0.post0+g{named}") == of_sources(archive)


def test_an_unpacked_archive_knows_its_commit_between_tags(checkout, tmp_path):
    git(checkout, "tag", "v1.2.3")
    named = commit(checkout)
    archive = unpacked_archive(checkout, tmp_path / "unpacked" / "archive")
    assert f"1.2.3.post1+g{named}" == of_sources(archive)


def test_a_repository_that_knows_nothing_of_an_archive_does_not_hide_its_commit(checkout, tmp_path):
    named = git(checkout, "rev-parse", "--short=12", "HEAD")
    empty = unpacked_archive(checkout, tmp_path / "empty" / "archive")
    git(empty, "init", "--quiet")  # without a commit
    other = unpacked_archive(checkout, tmp_path / "other" / "archive")
    git(other.parent, "init", "--quiet")  # around it, with a commit
    git(other.parent, "commit", "--quiet", "--allow-empty", "-m", "something else")
    assert 2 * [f"0.1.0.post0+g{named}"] == [of_sources(empty), of_sources(other)]


def test_an_unpacked_sdist_is_what_it_was_built_as(sources):
    (sources / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: x\nVersion: 1.2.post3+gabc\n")
    assert "1.2.post3+gabc" == of_sources(sources)


def test_what_is_installed_is_what_it_was_built_as(tmp_path):
    metadata = tmp_path / "lockdown_mudserver-1.2.post3+gabc.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.4\nName: x\nVersion: 1.2.post3+gabc\n\nVersion: 9\n")
    assert "1.2.post3+gabc" == of_installed(tmp_path)


def test_files_without_a_commit_are_named_by_their_digest(sources, tmp_path):
    first = of_sources(sources)
    assert TREE.fullmatch(first)
    (sources / "mudserver" / "__pycache__").mkdir()
    (sources / "mudserver" / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert first == of_sources(Path(shutil.copytree(sources, tmp_path / "copy")))
    (sources / "mudserver" / "x.py").rename(sources / "mudserver" / "y.py")
    renamed = of_sources(sources)
    (sources / "mudserver" / "y.py").write_text("y = 1\n")
    assert 3 == len({first, renamed, of_sources(sources)})


def test_without_git_the_files_are_looked_at(checkout, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert TREE.fullmatch(of_sources(checkout))


def test_the_environment_of_a_git_hook_leads_to_no_other_repository(checkout, monkeypatch):
    git(checkout, "tag", "v1.2.3")
    monkeypatch.setenv("GIT_DIR", str(ROOT / ".git"))
    assert "1.2.3" == of_sources(checkout)


def test_every_product_file_that_is_named_is_there():
    assert [] == [name for name in PRODUCT if not (ROOT / name).exists()]


def test_the_program_says_the_version_of_its_sources(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert 0 == ended.value.code
    assert f"mudserver {of_sources(ROOT)}\n" == capsys.readouterr().out
