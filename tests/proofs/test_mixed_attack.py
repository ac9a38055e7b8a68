"""Three hundred addresses of five /24 networks attack in every way; fifty others play their games.

The attackers (`attackers.py`) act 1 to 3 times a second each, about 450 times together: they open
lines to both ports and say nothing or half a login, open tables, fill them with computer players
and start instant games again and again, type `set` and `manifest new` without end, fill full
screens of 200x50 with keys, talk, and log in with a password again and again.  Each changes its
way by chance.

The fifty (`visitors.py`) come from forty other networks: ten by ssh with a key, forty by telnet
with a password; thirty had their accounts before the attack, twenty register during it.  They play
all three games with each other and a computer player, and leave and come back all the time.

The server has its default settings.  A part takes three minutes, the whole an hour.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from urllib.request import urlopen

import asyncssh
import pytest

from tests.counts import count
from tests.e2e.client import Server
from tests.hostile.attack import GROWTH_MIB, memory_kib
from tests.proofs.visitors import GAMES, Figures, Group, Visitor
from tests.reference import reference_s

MINUTES = count(60, 3)
PEOPLE, KNOWN, BY_SSH, AT_A_TABLE = 50, 30, 10, 3
STAY_S = count(180, 45)  # of one visit, on average
LOGIN_S = 5.0
PLAY_P99 = 25  # times the reference, before the attack: 1 s where it takes 40 ms
BEFORE_S = 20.0  # that those who are known play before the attack
METRICS = ("--set", "metrics.address=127.0.0.1:0")
LOG_BYTES_A_MINUTE = 262_144  # of sessions that begin and end, mostly
CLOCK_TICKS = 100  # of /proc/PID/stat, a second


def visitors(figures: Figures, seed: int) -> list[Visitor]:
    """Of forty networks: ten have two of those who are known, ten have one; newcomers are alone."""
    groups = [Group(GAMES[n % len(GAMES)]) for n in range(-(-PEOPLE // AT_A_TABLE))]
    return [
        Visitor(
            f"good{n}x",
            f"127.{20 + n % 20 if n < KNOWN else n + 20}.7.{n + 1}",
            groups[n % len(groups)],
            figures,
            key=asyncssh.generate_private_key("ssh-ed25519")
            if n % (PEOPLE // BY_SSH) == 0
            else None,
            seed=seed + n,
            stay_s=STAY_S,
        )
        for n in range(PEOPLE)
    ]


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def count_peak_anew(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def begin_attack(telnet_port: int, ssh_port: int, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.proofs.attackers"]
    arguments = [str(telnet_port), str(ssh_port), str(seed)]
    return subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)


def check_log(log: str) -> None:
    """Of a bounded size, without stack traces, and with nothing but logins, failed ones too."""
    assert len(log.encode()) <= LOG_BYTES_A_MINUTE * (MINUTES + 1)
    assert "Traceback" not in log
    assert [] == [line for line in log.splitlines() if " ERROR " in line or " CRITICAL " in line]


def status(server: Server) -> dict:
    command = [*Server.PROGRAM, "status", "--json", "--data", str(server.data)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def budget_refusals(address: str) -> dict[str, int]:
    """What the accounts of sources and networks refused, by kind and level."""
    with urlopen(f"http://{address}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    name = "mudserver_budget_refusals_total"
    found = re.findall(rf'{name}{{kind="(\w+)",level="(\w+)"}} (\d+)', text)
    return {f"{kind} {level}": int(number) for kind, level, number in found if int(number)}


def p99(values: list[float]) -> float:
    return sorted(values)[max(0, -(-len(values) * 99 // 100) - 1)]


def told(what: str, values_s: list[float]) -> str:
    ms = [1000 * each for each in values_s]
    three = f"median {median(ms):.0f} ms, p99 {p99(ms):.0f} ms, worst {max(ms):.0f} ms"
    return f"{what}: {len(ms)}, {three}"


async def attacked(server: Server, figures: Figures, seed: int) -> tuple[dict, float, float]:
    """Let them play and attack; answers the attackers' figures, the growth in MiB, the server's
    share of a processor."""
    assert server.process is not None
    pid, ports = server.process.pid, (server.telnet_port, server.ssh_port)
    people = visitors(figures, seed)
    end_s = time.monotonic() + BEFORE_S + 60 * MINUTES
    visits = [asyncio.ensure_future(each.visits(ports, end_s)) for each in people[:KNOWN]]
    await asyncio.sleep(BEFORE_S)
    count_peak_anew(pid)
    before_kib, spent_s, began_s = memory_kib(pid), cpu_s(pid), time.monotonic()
    attackers = begin_attack(*ports, seed)
    try:
        for each in people[KNOWN:]:  # one after the other, during the first half
            visits.append(asyncio.ensure_future(each.visits(ports, end_s)))
            await asyncio.sleep(60 * MINUTES / 2 / (PEOPLE - KNOWN))
        await asyncio.gather(*visits)
        assert attackers.poll() is None, "the attackers have given up"
        growth_mib = (memory_kib(pid, "VmHWM") - before_kib) / 1024
        share = (cpu_s(pid) - spent_s) / (time.monotonic() - began_s)
        attackers.send_signal(signal.SIGTERM)
        said, _ = await asyncio.to_thread(attackers.communicate, timeout=60)
    finally:
        attackers.kill()
    return json.loads(said), growth_mib, share


def told_of(server: Server, figures: Figures, attack: dict) -> str:
    """All figures but those of the process."""
    known = status(server)
    rate = sum(attack["actions"].values()) / attack["seconds"]
    rows = [
        f"mixed attack: {MINUTES} min, {rate:.0f} actions a second {attack['actions']}",
        f"{told('logins', figures.logins_s)}, {figures.registrations} of them new",
        f"{told('plays', figures.plays_s)}, {figures.plays_refused} refused",
        f"games ended: {figures.games}; of lines in the lobby {len(figures.refusals)} were refused",
        f"refused: {known['refusals']}",
        f"of budgets: {budget_refusals(known['listeners']['metrics'])}",
        f"at the end: tables {known['tables']}, users {known['users']},"
        f" p99 of the loop's delay {known['loop_delay_p99_s']:.3f} s",
        *(f"no login: {each}" for each in figures.failures[:10]),
        *(f"slow play: {each}" for each in figures.slow_plays[:10]),
    ]
    return "\n".join(rows)


@pytest.mark.prove
@pytest.mark.alone
async def test_fifty_people_play_on_while_three_hundred_addresses_attack(tmp_path):
    pace_s = reference_s()
    server, figures = Server(tmp_path / "data", *METRICS).start(), Figures()
    try:
        own_s = time.process_time()
        attack, growth_mib, share = await attacked(server, figures, seed=13)
        own_share = (time.process_time() - own_s) / attack["seconds"]
        print(f"\n{told_of(server, figures, attack)}")
        pace = f"{p99(figures.plays_s) / pace_s:.1f} references of {1000 * pace_s:.0f} ms"
        print(f"p99 of a play is {pace}")
        print(f"memory {growth_mib:+.1f} MiB; processor: server {share:.0%},"
              f" attackers {attack['cpu']:.0%}, people {own_share:.0%}")  # fmt: skip
    except BaseException:
        server.kill()
        raise
    began_s = time.monotonic()
    assert 0 == server.stop()
    log = server.log_text()
    print(f"stopped in {time.monotonic() - began_s:.1f} s; the log has {len(log):,} characters")
    check_log(log)
    assert [] == attack["bugs"]
    assert [] == figures.failures and max(figures.logins_s) <= LOGIN_S
    assert p99(figures.plays_s) <= PLAY_P99 * pace_s
    assert growth_mib <= GROWTH_MIB
    assert figures.registrations == PEOPLE and len(figures.plays_s) > 5 * PEOPLE * MINUTES
