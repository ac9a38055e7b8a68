"""The Debian package: the program with all that it needs, the units, the account, the settings.

Usage: /usr/bin/python3 release/package.py DIRECTORY (with the wheel and its requirements.txt)

Rule 1: it fits the Debian that it was built on: the environment inside takes Debian's Python.
Rule 2: nothing of the machine that built it gets in, see `build.py`.
Rule 3: this file needs nothing beside Python, so it can be built in a new Debian too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from string import Template

HERE = Path(__file__).parent
PROGRAM = Path("opt/mudserver")
UNITS = Path("usr/lib/systemd/system")
NAME = "lockdown-mudserver"
FOR_DOORS = {"socket": "/run/mudserver/game.sock", "door_user": "mudserver-door"}  # in [wall]


def main(directory: str) -> None:
    os.umask(0o022)
    dist = Path(directory)
    (wheel,) = dist.glob("*.whl")
    version = debian_version(wheel.name.split("-")[1])
    with tempfile.TemporaryDirectory(prefix="package-") as folder:
        root = Path(folder) / "root"
        install(dist, root / PROGRAM, Path(folder) / "tools")
        add_system_files(root)
        architecture = _output("dpkg", "--print-architecture")
        add_control_files(root / "DEBIAN", version, architecture)
        package = dist / f"{NAME}_{version}_{architecture}.deb"
        _run("dpkg-deb", "--root-owner-group", "--build", root, package)


def debian_version(version: str) -> str:
    """As Debian sorts it: `1.0rc1` comes before `1.0` if written `1.0~rc1`."""
    base, plus, build = version.partition("+")
    return re.sub(r"(?<=\d)((?:a|b|rc)\d+)", r"~\1", base) + plus + build


def install(dist: Path, program: Path, tools: Path) -> None:
    """An environment without pip that works in /opt/mudserver, and in place by its Python."""
    venv.create(tools, with_pip=True, symlinks=True)
    venv.create(program, symlinks=True)
    python = program / "bin" / "python"
    _run(tools / "bin/pip", "--python", python, "install", "--quiet", "--no-compile",
         "--disable-pip-version-check", "--only-binary=:all:", "--require-hashes",
         "--requirement", dist / "requirements.txt")  # fmt: skip
    for script in (program / "bin").iterdir():
        if script.name != "mudserver" and not script.is_symlink():
            script.unlink()  # activate, and programs of the libraries
    launcher = program / "bin" / "mudserver"
    _, _, code = launcher.read_text("utf-8").partition("\n")
    launcher.write_text(f"#!/{PROGRAM}/bin/python\n{code}", "utf-8")
    settings = program / "pyvenv.cfg"
    kept = [line for line in settings.read_text("utf-8").splitlines() if "command" not in line]
    settings.write_text("\n".join([*kept, ""]), "utf-8")
    for record in program.rglob("*.dist-info/RECORD"):
        record.unlink()  # has the path of this build; dpkg knows the files


def add_system_files(root: Path) -> None:
    """Units, account, directories and settings, where Debian has them."""
    share = root / PROGRAM / "share" / "mudserver"
    for source in (share / "systemd").iterdir():
        kind = source.suffix.removeprefix(".")
        place = Path(f"usr/lib/{kind}.d/mudserver.conf")
        _copy(source, root / (place if kind in ("sysusers", "tmpfiles") else UNITS / source.name))
    _copy(share / "config/mudserver.toml", settings := root / "etc/mudserver/mudserver.toml")
    text = settings.read_text("utf-8")
    for name, value in FOR_DOORS.items():
        text, count = re.subn(rf'^{name} = ""', f'{name} = "{value}"', text, flags=re.M)
        assert 1 == count, name
    settings.write_text(text, "utf-8")
    (licence,) = (root / PROGRAM).rglob("lockdown_mudserver-*.dist-info/licenses/LICENSE")
    _copy(licence, root / f"usr/share/doc/{NAME}/copyright")
    (root / "usr/bin").mkdir()
    (root / "usr/bin/mudserver").symlink_to(f"/{PROGRAM}/bin/mudserver")


def add_control_files(control: Path, version: str, architecture: str) -> None:
    major, minor = sys.version_info[:2]
    values = {
        "version": version, "architecture": architecture,
        "python": f"{major}.{minor}", "next_python": f"{major}.{minor + 1}",
    }  # fmt: skip
    for source in (HERE / "debian").iterdir():
        _copy(source, control / source.name)
        (control / source.name).chmod(0o755 if source.name[:3] in ("pre", "pos") else 0o644)
    text = (control / "control").read_text("utf-8")
    (control / "control").write_text(Template(text).substitute(values), "utf-8")


def _copy(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    main(*sys.argv[1:])
