"""Who somebody is: only ever what was proven."""

import asyncio
from types import SimpleNamespace

import asyncssh
import pytest
from asyncssh.auth import _ClientPublicKeyAuth

from mudserver.config.schema import DoorLimits as Limits
from mudserver.transport.gate import FailedLogin
from mudserver.transport.link import NoAnswer
from mudserver.transport.ssh.authentication import KEYS_MAX, SshAuthentication
from tests.mudserver.transport.server import FakeAuthenticator, until

ANN = asyncssh.generate_private_key("ssh-ed25519")
EVE = asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
async def open_server(server):
    await server.open()
    server.authenticator.keys["ann"].add(ANN.get_fingerprint())
    return server


async def proven_of(server, client):
    await client.create_process(encoding=None)
    proven = server.handlers[-1].proven
    client.abort()
    return proven


class Registering(asyncssh.SSHClient):
    """Answers keyboard-interactive with what it was given."""

    def __init__(self, *answers):
        self.answers, self.asked, self.banners = list(answers), [], []

    def auth_banner_received(self, msg, lang):
        self.banners.append(msg)

    def kbdint_auth_requested(self):
        return ""

    def kbdint_challenge_received(self, name, instruction, lang, prompts):
        self.asked.append((instruction, len(prompts)))
        return self.answers.pop(0) if self.answers else None


async def probed(server, name, key, client_keys=(), **options):
    """Connect as *name* after an unsigned query for *key*, which is then not used."""
    original = _ClientPublicKeyAuth._send_signed_request

    async def signed(self):
        if self._keypair.public_data == key.public_data:
            assert {None} == {caller._proof for caller in server.ssh.connections._open}
            self._conn.try_next_auth()
        else:
            await original(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_ClientPublicKeyAuth, "_send_signed_request", signed)
        return await server.ssh_as(name, client_keys=[key, *client_keys], **options)


async def test_a_guest_needs_nothing(open_server):
    proven = await proven_of(open_server, await open_server.ssh_as("guest"))
    assert ("guest", "guest", "") == (proven.name, proven.method, proven.key)


async def test_a_known_name_comes_in_with_its_key(open_server):
    proven = await proven_of(open_server, await open_server.ssh_as("ann", client_keys=[ANN]))
    assert ("ann", "key", ANN.get_fingerprint()) == (proven.name, proven.method, proven.fingerprint)
    assert ANN.export_public_key().decode().split()[:2] == proven.key.split()[:2]


async def test_a_known_name_does_not_come_in_with_another_key(open_server):
    with pytest.raises(asyncssh.PermissionDenied):
        await open_server.ssh_as("ann", client_keys=[EVE], preferred_auth="publickey")
    assert [] == open_server.handlers


async def test_a_key_that_was_offered_but_not_proven_is_nobody_s(open_server):
    """The pattern of CVE-2024-45337: query ann's key, then come in as bob."""
    proven = await proven_of(
        open_server, await probed(open_server, "bob", ANN, password="hunter22")
    )
    assert ("bob", "password") == (proven.name, proven.method)
    assert ("", "") == (proven.key, proven.fingerprint)


async def test_a_queried_key_does_not_become_the_key_of_a_new_name(open_server):
    client = await probed(open_server, "newcomer", ANN, client_keys=[EVE])
    proven = await proven_of(open_server, client)
    assert ("newkey", EVE.get_fingerprint()) == (proven.method, proven.fingerprint)


async def test_a_password_after_a_query_for_the_own_key_is_a_password(open_server):
    proven = await proven_of(
        open_server, await probed(open_server, "ann", ANN, password="open sesame")
    )
    assert ("ann", "password", "") == (proven.name, proven.method, proven.key)


async def test_a_key_proven_for_one_name_is_no_proof_for_the_next(open_server):
    """After a query as ann the client goes on as guest, on the same connection."""
    original = asyncssh.SSHClientConnection.send_userauth_request
    sent = []

    async def renamed(self, method, *args, key=None, trivial=True):
        sent.append(method)
        if len(sent) == 2:
            self._username = "guest"
        await original(self, method, *args, key=key, trivial=trivial)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncssh.SSHClientConnection, "send_userauth_request", renamed)
        client = await open_server.ssh_as("ann", client_keys=[ANN])
    proven = await proven_of(open_server, client)
    assert ("guest", "guest", "") == (proven.name, proven.method, proven.key)
    assert 1 == open_server.gate.counters.failures  # the second name counts


async def test_another_name_starts_from_nothing():
    authenticator = FakeAuthenticator()
    authenticator.keys["ann"].add(ANN.get_fingerprint())
    way = SshAuthentication(authenticator, Limits())
    way.peer, aborted = "192.0.2.1", []
    way.parts = SimpleNamespace(
        connection=SimpleNamespace(abort=lambda: aborted.append(way)),
        throttle=SimpleNamespace(pause=lambda reason: None, resume=lambda reason: None),
        slot=slot_of(has_tries=True, told=[]),
        deadline=SimpleNamespace(extend=lambda: None),
    )
    await way.begin_auth("ann")
    await way.validate_public_key("ann", ANN)
    await way.signature_checked(True)
    assert "ann" == way._proof.name
    await way.begin_auth("bob")
    assert (None, None) == (way._proof, way._offered)
    await way.signature_checked(True)  # a signature without a question before it proves nothing
    assert way._proof is None
    way.auth_completed()
    assert (None, [way]) == (way.user, aborted)


async def test_a_free_name_with_a_key_is_claimed_by_the_key(open_server):
    proven = await proven_of(open_server, await open_server.ssh_as("newcomer", client_keys=[EVE]))
    assert ("newcomer", "newkey") == (proven.name, proven.method)


@pytest.mark.parametrize("method", ["password", "keyboard-interactive"])
async def test_a_known_name_comes_in_with_its_password(open_server, method):
    client = await open_server.ssh_as("bob", password="hunter22", preferred_auth=method)
    proven = await proven_of(open_server, client)
    assert ("bob", "password") == (proven.name, proven.method)


async def test_a_wrong_password_is_said_before_the_next_try(open_server):
    answers = Registering(["hunter23"], ["hunter22"])
    client = await open_server.ssh_as("bob", client_factory=lambda: answers)
    assert "password" == (await proven_of(open_server, client)).method
    assert [("", 1), ("Wrong password.", 1)] == answers.asked


async def test_a_free_name_registers_by_keyboard_interactive(open_server):
    answers = Registering(["one", "two"], ["short", "short"], ["long enough", "long enough"])
    client = await open_server.ssh_as("newcomer", client_factory=lambda: answers)
    proven = await proven_of(open_server, client)
    assert ("newcomer", "registered") == (proven.name, proven.method)
    assert "long enough" == open_server.authenticator.passwords["newcomer"]
    assert [
        ('"newcomer" is free. Choose a password to register it.', 2),
        ("The passwords don't match. Please try again.", 2),
        ("That password is too short (at least 8 characters).", 2),
    ] == answers.asked


async def test_a_refused_name_hears_why(open_server):
    answers = Registering()
    with pytest.raises(asyncssh.DisconnectError, match=r"This is a reserved name\."):
        await open_server.ssh_as("admin", client_factory=lambda: answers)
    assert ["This is a reserved name.\r\n"] == answers.banners


class Guesser(asyncssh.SSHClient):
    def __init__(self):
        self.guesses = 0

    def password_auth_requested(self):
        self.guesses += 1
        return f"guess {self.guesses}"


async def test_the_sixth_password_is_not_even_looked_at(open_server):
    guesser = Guesser()
    with pytest.raises(asyncssh.DisconnectError, match="Too many wrong passwords"):
        await open_server.ssh_as("bob", client_factory=lambda: guesser, preferred_auth="password")
    assert 5 == open_server.authenticator.checks == open_server.gate.counters.failures


async def test_pipelined_guesses_are_counted_before_they_are_hashed(open_server):
    """Each new request cancels the one before; the hash would run on all the same."""
    gate = asyncio.Event()

    async def slow(name, password, peer):
        open_server.authenticator.checks += 1
        await gate.wait()
        return False

    open_server.authenticator.check_password = slow
    original = asyncssh.SSHClientConnection.send_userauth_request

    async def tenfold(self, method, *args, key=None, trivial=True):
        for _ in range(10 if method == b"password" else 1):
            await original(self, method, *args, key=key, trivial=trivial)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncssh.SSHClientConnection, "send_userauth_request", tenfold)
        with pytest.raises((asyncssh.DisconnectError, ConnectionError)):
            await open_server.ssh_as("bob", password="x", preferred_auth="password")
    assert open_server.authenticator.checks <= 5


async def test_a_source_that_guesses_is_kept_out_and_others_are_not(open_server):
    for _ in range(3):
        with pytest.raises((asyncssh.DisconnectError, ConnectionError)):
            await open_server.ssh_as("bob", client_factory=Guesser, preferred_auth="password")
    assert 12 >= open_server.authenticator.checks
    with pytest.raises((asyncssh.DisconnectError, ConnectionError)):
        await open_server.ssh_as("bob", client_factory=Guesser, preferred_auth="password")
    assert 12 >= open_server.authenticator.checks
    assert open_server.gate.counters.refused_failures
    client = await open_server.ssh_as("guest")  # nothing can be guessed there
    client.abort()


async def test_known_names_offer_the_same_methods_whatever_they_have(open_server):
    methods = {}
    for name in ("ann", "bob"):
        client = Registering()
        with pytest.raises(asyncssh.PermissionDenied):
            await open_server.ssh_as(name, client_factory=lambda c=client: c)
        methods[name] = client.asked
    assert methods["ann"] == methods["bob"] == [("", 1)]


async def test_the_line_is_not_read_while_a_password_is_checked(open_server):
    gate, seen = asyncio.Event(), []

    async def slow(name, password, peer):
        caller = next(iter(open_server.ssh.connections._open))
        seen.append(caller.parts.connection._transport.is_reading())
        await gate.wait()
        return True

    open_server.authenticator.check_password = slow
    task = asyncio.create_task(open_server.ssh_as("bob", password="x"))
    await until(lambda: seen)
    gate.set()
    client = await task
    assert [False] == seen
    assert "password" == (await proven_of(open_server, client)).method


async def test_a_name_of_five_thousand_characters_ends_the_line(open_server):
    with pytest.raises((asyncssh.DisconnectError, ConnectionError)):
        await open_server.ssh_as("x" * 5_000)


# -- every way out, without a network ------------------------------------------------------------


def asked(*, failures_max: int = 5, is_source_welcome: bool = True) -> SshAuthentication:
    """An authentication whose connection notes in `ends` how it was ended."""
    way = SshAuthentication(FakeAuthenticator(), Limits(failures_per_connection_max=failures_max))
    way.ends, way.banners, failed = [], [], []

    way.failed = failed
    way.peer = "192.0.2.1"
    nothing = SimpleNamespace(pause=lambda reason: None, resume=lambda reason: None)
    way.parts = SimpleNamespace(
        connection=SimpleNamespace(
            abort=lambda: way.ends.append("abort"),
            disconnect=lambda code, reason: way.ends.append(reason),
            send_auth_banner=lambda text: way.banners.append(text),
        ),
        throttle=nothing,
        slot=slot_of(has_tries=is_source_welcome, told=failed),
        deadline=SimpleNamespace(extend=lambda: None, message="You took too long."),
        clock=SimpleNamespace(now_ms=lambda: 77),
    )
    return way


def slot_of(*, has_tries: bool, told: list[tuple[str, str, str]]) -> SimpleNamespace:
    """A slot that notes each failed login in *told*."""

    def count_failure(one: FailedLogin) -> bool:
        told.append((one.name, one.how, one.protocol))
        return has_tries

    return SimpleNamespace(
        may_try=lambda name: True,
        count_failure=count_failure,
        note_progress=lambda progress: None,
        ban=lambda: "",
        is_released=False,
    )


GIVEN_UP = "Too many wrong passwords. Please wait a minute and try again."


async def test_who_has_given_up_is_known_by_no_other_name():
    way = asked(failures_max=1)
    await way.begin_auth("ann")
    await way.begin_auth("guest")  # the second name is a guess, and the last one
    assert way.ends == [GIVEN_UP]
    assert way.failed == [("ann", "name", "ssh")]
    assert await way.begin_auth("guest") is True  # still not in
    assert way._proof is None


async def test_each_failure_says_what_was_tried():
    way = asked()
    await way.begin_auth("ann")
    await way.signature_checked(False)
    assert not await way.validate_password("ann", "wrong")
    assert way.failed == [("ann", "key", "ssh"), ("ann", "password", "ssh")]


async def test_a_source_that_is_not_welcome_any_more_is_ended_at_its_next_failure():
    way = asked(is_source_welcome=False)
    await way.begin_auth("ann")
    await way.signature_checked(False)
    assert [GIVEN_UP] == way.ends


async def test_no_key_is_looked_at_for_a_refused_name_nor_beyond_the_limit():
    way = asked()
    await way.begin_auth("admin")
    assert await way.validate_public_key("admin", ANN) is False
    way = asked()
    way._authenticator.keys["ann"].add(ANN.get_fingerprint())
    await way.begin_auth("ann")
    for _ in range(KEYS_MAX):
        assert await way.validate_public_key("ann", EVE) is False
    assert await way.validate_public_key("ann", ANN) is False
    await way.signature_checked(True)
    assert way._proof is None


@pytest.mark.parametrize(
    ("name", "password"),
    [("newcomer", "open sesame"), ("admin", "open sesame"), ("ann", "x" * 1_025)],
)
async def test_no_password_is_hashed_for_a_name_without_one_or_beyond_its_limit(name, password):
    way = asked()
    await way.begin_auth(name)
    assert await way.validate_password(name, password) is False
    assert (0, None) == (way._authenticator.checks, way._proof)


@pytest.mark.parametrize(
    ("name", "responses"),
    [("admin", ["a", "b"]), ("newcomer", ["only one"]), ("ann", ["open sesame", "open sesame"])],
)
async def test_answers_that_fit_no_question_prove_nothing(name, responses):
    way = asked()
    await way.begin_auth(name)
    assert await way.validate_kbdint_response(name, responses) is False
    assert (0, None, 1) == (way._authenticator.checks, way._proof, way._failures)


async def test_a_registration_that_cannot_be_is_asked_again_until_the_tries_are_used_up():
    way = asked(failures_max=3)
    await way.begin_auth("newcomer")
    long = "x" * 1_025
    for answers, why in (
        (["one", "two"], "The passwords don't match. Please try again."),
        ([long, long], "That password is too long (at most 1024 characters)."),
    ):
        challenge = await way.validate_kbdint_response("newcomer", answers)
        assert ("", why) == challenge[:2]
    assert "newcomer" not in way._authenticator.passwords
    way._tries = 3
    assert await way.validate_kbdint_response("newcomer", ["good enough", "good enough"]) is False
    assert ([GIVEN_UP], None) == (way.ends, way._proof)
    assert "newcomer" not in way._authenticator.passwords


async def test_who_is_late_is_told_why_only_if_there_is_somebody_to_tell():
    way = asked()
    way.on_login_timeout()
    await way.begin_auth("ann")
    way.on_login_timeout()
    assert ["abort", "You took too long."] == way.ends


# -- names with a code ---------------------------------------------------------------------------


async def test_under_a_code_any_key_comes_in_and_nothing_else(open_server):
    client = await open_server.ssh_as("ann+goodcode", client_keys=[EVE])
    proven = await proven_of(open_server, client)
    assert ("ann+goodcode", "code") == (proven.name, proven.method)
    assert EVE.get_fingerprint() == proven.fingerprint
    assert EVE.export_public_key().decode().split()[:2] == proven.key.split()[:2]
    with pytest.raises(asyncssh.PermissionDenied):
        await open_server.ssh_as("ann+goodcode", password="open sesame")
    assert 0 == open_server.authenticator.checks


async def test_a_code_for_one_key_lets_an_agent_offer_until_it_comes(open_server):
    open_server.authenticator.awaited = {EVE.get_fingerprint()}
    client = await open_server.ssh_as("ann+goodcode", client_keys=[ANN, EVE])
    assert EVE.get_fingerprint() == (await proven_of(open_server, client)).fingerprint
    told = Registering()
    with pytest.raises(asyncssh.PermissionDenied):
        await open_server.ssh_as("ann+goodcode", client_keys=[ANN], client_factory=lambda: told)
    assert ([], 0) == (told.banners, open_server.gate.counters.failures)


async def test_a_code_that_opens_nothing_ends_the_connection_in_the_same_words(open_server):
    heard = []
    for name in ("ann+wrong", "nobody+goodcode", "+"):
        told = Registering()
        with pytest.raises(asyncssh.DisconnectError) as ended:
            await open_server.ssh_as(name, client_keys=[ANN], client_factory=lambda c=told: c)
        heard.append((ended.value.code, ended.value.reason, told.banners))
    assert [
        (15, "This code isn't valid any more.", ["This code isn't valid any more.\r\n"])
    ] * 3 == heard
    assert 3 == open_server.gate.counters.failures


async def test_a_wrong_code_is_a_failed_login_of_the_name_before_it():
    way = asked()
    await way.begin_auth("ann+wrong")
    assert [("ann", "code", "ssh")] == way.failed
    assert ["This code isn't valid any more."] == way.ends
    assert not way.public_key_auth_supported()


async def test_after_a_wrong_code_no_other_is_looked_at_on_the_connection():
    way = asked()
    await way.begin_auth("ann+wrong")
    assert await way.begin_auth("ann+goodcode") is True
    assert not await way.validate_public_key("ann+goodcode", EVE)
    assert way._proof is None


@pytest.mark.parametrize("name", ["ann+goodcode", "ann+wrong"])
async def test_a_source_without_tries_learns_nothing_of_a_code(name):
    way = asked()
    way.parts.slot.may_try = lambda name: name != "ann"
    assert await way.begin_auth(name) is True
    assert ([GIVEN_UP], [], []) == (way.ends, way.banners, way.failed)
    assert not await way.validate_public_key(name, EVE)


async def test_a_source_without_tries_hears_so_and_not_what_the_code_was():
    way = asked(is_source_welcome=False)
    await way.begin_auth("ann+wrong")
    assert ([GIVEN_UP], []) == (way.ends, way.banners)


async def test_a_key_that_cannot_be_used_is_named_and_opens_nothing(open_server):
    open_server.authenticator.unusable = {EVE.get_fingerprint()}
    for name in ("ann+goodcode", "newcomer"):
        told = Registering()
        with pytest.raises(asyncssh.PermissionDenied):
            await open_server.ssh_as(name, client_keys=[EVE], client_factory=lambda c=told: c)
        assert ["This key can't be used here.\r\n"] == told.banners


ELSEWHERE = "Your key belongs to the account ann: ssh ann@HOST."


async def test_a_free_name_is_not_given_to_a_key_that_opens_another_but_to_a_password(open_server):
    open_server.authenticator.obstacles = {EVE.get_fingerprint(): ELSEWHERE}
    answers = Registering(["long enough", "long enough"])
    client = await open_server.ssh_as("newcomer", client_keys=[EVE], client_factory=lambda: answers)
    proven = await proven_of(open_server, client)
    assert ("registered", "") == (proven.method, proven.fingerprint)
    assert [ELSEWHERE + "\r\n"] == answers.banners
    assert 0 == open_server.gate.counters.failures


async def test_whose_a_key_is_is_said_only_after_a_signature(open_server):
    open_server.authenticator.obstacles = {EVE.get_fingerprint(): ELSEWHERE}
    told = Registering()
    with pytest.raises(asyncssh.PermissionDenied):
        await probed(open_server, "newcomer", EVE, client_factory=lambda: told)
    assert [] == told.banners


async def test_a_proof_says_when_it_was_made():
    way = asked()
    await way.begin_auth("guest")
    way.auth_completed()
    assert ("guest", 77) == (way.user.name, way.user.at_ms)


# -- a game server that does not answer ----------------------------------------------------------

NOBODY = "The server is restarting. Please try again in a minute."


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("name_status", {}),
        ("has_key", {"client_keys": [ANN]}),
        ("check_password", {"password": "open sesame"}),
    ],
)
async def test_who_gets_no_answer_reads_why_and_has_not_failed(open_server, question, options):
    async def no_answer(*args):
        raise NoAnswer(NOBODY)

    setattr(open_server.authenticator, question, no_answer)
    with pytest.raises(asyncssh.DisconnectError) as ended:
        await open_server.ssh_as("ann", **options)
    assert ended.value.reason.startswith(NOBODY)
    assert 0 == open_server.gate.counters.failures


async def test_an_answer_that_comes_when_the_connection_is_gone_begins_nothing():
    way = asked()
    way.parts.deadline.extend = lambda: way.ends.append("extended")

    async def late(name, peer):
        way.parts.slot.is_released = True
        return "known", ""

    way._authenticator.name_status = late
    assert await way.begin_auth("ann") is True
    assert [] == way.ends
    assert not way.password_auth_supported()


async def test_a_name_is_refused_until_it_is_known():
    way = asked()
    await way.begin_auth("ann")

    async def looked_at(name, peer):
        assert not way.public_key_auth_supported()
        return "free", ""

    way._authenticator.name_status = looked_at
    await way.begin_auth("newcomer")
    assert way.public_key_auth_supported()
