"""SSH authentication: from a user name to a proven identity.

Rule 1: an offered key is only a question.  A proof is a valid signature, a correct password or a
        finished registration.  `AuthenticatedUser` is made from the proof when authentication has
        completed.  A change of user name discards everything proven before.
Rule 2: every failure counts against the connection and against its source.  Attempts are counted
        before anything is hashed.
Rule 3: for registered names the methods, texts and timing are the same, whatever the account has.
        They are the same for every `NAME+CODE` that opens nothing, whatever is wrong with it.
Rule 4: from a network that is banned hard, every name is treated alike: the ban is told once, and
        only keys are asked for, of which those of the staff open.
Rule 5: a name with a code is tried once on a connection.
Rule 6: the connection is not read while an answer is being computed.  If none comes, the connection
        ends with a sentence, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import asyncssh

from mudserver.accounts import texts
from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits
from mudserver.transport.flow import PauseReason, ReadThrottle
from mudserver.transport.gate import ConnectionSlot, FailedLogin, LoginMethod, Progress
from mudserver.transport.library_patches import BoundedConnection
from mudserver.transport.link import AuthenticatedUser, Authenticator, NameStatus, NoAnswer
from mudserver.transport.login_deadline import LoginDeadline
from variants.kit.text import quantity

KEYS_MAX = 20  # public keys that one connection may offer
PASSWORD_CHARS_MAX = 1_024  # the account service has a smaller limit, with a sentence

# How a signature authenticates, by what the name is.
KEY_METHODS: dict[NameStatus, Literal["key", "newkey", "code"]] = {
    "known": "key",
    "free": "newkey",
    "code": "code",
    "recovery": "code",
}

T = TypeVar("T")

Challenge = tuple[str, str, str, list[tuple[str, bool]]]


@dataclass(slots=True)
class ConnectionParts:
    """The objects of one accepted connection that authentication acts on."""

    connection: BoundedConnection
    throttle: ReadThrottle
    slot: ConnectionSlot
    deadline: LoginDeadline  # a new one runs when a session has ended
    clock: Clock


class SshAuthentication(asyncssh.SSHServer):
    """Authenticates one connection.  The subclass sets `parts` and `peer` when it is accepted."""

    parts: ConnectionParts
    peer: str

    def __init__(self, authenticator: Authenticator, limits: DoorLimits) -> None:
        self._authenticator, self._limits = authenticator, limits
        self._name = ""
        self._name_status: NameStatus = "refused"
        self._offered: asyncssh.SSHKey | None = None
        self._proof: AuthenticatedUser | None = None
        self._has_given_up = self._is_banned = False
        self._asked_keys = self._tries = self._failures = 0
        self.user: AuthenticatedUser | None = None  # set once, when authentication has completed

    # -- the name ----------------------------------------------------------------------------

    async def begin_auth(self, username: str) -> bool:
        if self._name:
            self._failed("name")  # a second user name on one connection counts as a guess
        if self._has_given_up:
            return True
        self._name, self._offered, self._proof = username, None, None
        self._name_status = "refused"  # until it is known
        if self._tell_ban():
            self._name_status = "known"
            return True
        if "+" in username and not self._may_try():  # before the code is looked at
            return True
        status, sentence = await self._ask(self._authenticator.name_status(username, self.peer))
        if self._has_given_up or self.parts.slot.is_released:
            return True
        self._name_status = status
        if self._name_status == "guest":
            self._proof = AuthenticatedUser(username, "guest")
            return False
        if self._name_status == "wrong code":
            self._failed("code")
            if not self._has_given_up:
                self._has_given_up = True
                self._refuse(sentence)
        elif self._name_status == "refused":
            self._refuse(sentence)
        else:
            self.parts.deadline.extend()
            self.parts.slot.note_progress(Progress.NAMED)
        return True

    def _tell_ban(self) -> bool:
        """Whether the network is banned hard, which is told once [rule 4]."""
        if not self._is_banned and (ban := self.parts.slot.ban()):
            self._is_banned = True
            self.parts.connection.send_auth_banner(ban + "\r\n")
        return self._is_banned

    def auth_completed(self) -> None:
        if self._proof is None or self._proof.name != self._name:
            self.parts.connection.abort()  # cannot happen; if it does, refuse
            return
        self.user = replace(self._proof, at_ms=self.parts.clock.now_ms())
        self._offered = None

    # -- keys --------------------------------------------------------------------------------

    def public_key_auth_supported(self) -> bool:
        return self._name_status in KEY_METHODS

    async def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        self._asked_keys += 1
        self._offered = None
        if self._asked_keys > KEYS_MAX or not self.public_key_auth_supported():
            return False
        if not await self._accepts(key):
            return False
        self._offered = key
        return True

    async def _accepts(self, key: asyncssh.SSHKey) -> bool:
        """Whether a signature by *key* would authenticate."""
        fingerprint = key.get_fingerprint()
        if self._name_status == "known":
            return await self._ask(self._authenticator.has_key(self._name, fingerprint, self.peer))
        obstacle = await self._ask(
            self._authenticator.new_key_obstacle(self._name, _public_line(key), fingerprint)
        )
        if obstacle:
            self.parts.connection.send_auth_banner(obstacle + "\r\n")
        return obstacle is None

    async def signature_checked(self, is_valid: bool) -> bool:
        """Called by `BoundedConnection` when a signature by the offered key has been verified.

        Returns whether the user is authenticated by it.
        """
        key = self._offered
        if not is_valid or key is None:
            self._failed("key")
            return False
        fingerprint = key.get_fingerprint()
        if self._name_status == "free" and (
            obstacle := await self._ask(self._authenticator.proven_key_obstacle(fingerprint))
        ):
            self._offered = None
            self.parts.connection.send_auth_banner(obstacle + "\r\n")
            return False
        method = KEY_METHODS[self._name_status]
        self._proof = AuthenticatedUser(self._name, method, _public_line(key), fingerprint)
        return True

    # -- passwords ---------------------------------------------------------------------------

    def password_auth_supported(self) -> bool:
        return self._name_status == "known" and not self._is_banned

    async def validate_password(self, username: str, password: str) -> bool:
        if not self.password_auth_supported() or len(password) > PASSWORD_CHARS_MAX:
            self._failed("password")
            return False
        if not self._may_try():
            return False
        is_right = await self._ask(
            self._authenticator.check_password(username, password, self.peer)
        )
        if not is_right:
            self._failed("password")
            return False
        self._proof = AuthenticatedUser(username, "password")
        return True

    def kbdint_auth_supported(self) -> bool:
        return self._name_status in ("known", "free", "recovery") and not self._is_banned

    async def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Challenge:
        if self._name_status == "known":
            wrong = texts.WRONG_PASSWORD if self._tries else ""
            return "", wrong, "", [("Password: ", False)]
        if self._name_status == "recovery":
            return await self._new_password("")
        return await self._new_password(texts.NAME_FREE.format(self._account_name) + ".")

    async def validate_kbdint_response(
        self, username: str, responses: Sequence[str]
    ) -> bool | Challenge:
        if self._name_status == "known" and len(responses) == 1:
            return await self.validate_password(username, responses[0])
        asked = len((await self._new_password(""))[3])
        if self._name_status not in ("free", "recovery") or len(responses) != asked:
            self._failed("password")
            return False
        return await self._set_password(username, *responses)

    async def _set_password(
        self, name: str, password: str, again: str, about_keys: str = ""
    ) -> bool | Challenge:
        if password != again:
            self._failed("password")
            return await self._new_password(texts.PASSWORDS_DIFFER)
        if len(password) > PASSWORD_CHARS_MAX:
            self._failed("password")
            return await self._new_password(
                texts.PASSWORD_TOO_LONG.format(PASSWORD_CHARS_MAX, "characters")
            )
        if not self._may_try():
            return False
        is_new = self._name_status == "free"
        if is_new:
            sentence = await self._ask(self._authenticator.register(name, password, self.peer))
        else:
            keeps_keys = about_keys.strip().lower() in texts.NO
            sentence = await self._ask(
                self._authenticator.recover(name, password, self.peer, keeps_keys=keeps_keys)
            )
        if sentence:
            self._failed("password")
            return await self._new_password(sentence)
        self._proof = AuthenticatedUser(name, "registered" if is_new else "recovered")
        return True

    async def _new_password(self, instruction: str) -> Challenge:
        asked = [("Choose a password: ", False), ("Again: ", False)]
        if self._name_status == "recovery" and (
            others := await self._ask(self._authenticator.other_keys(self._name))
        ):
            asked.append((texts.REMOVE_OTHER_KEYS.format(quantity(others, "key")), True))
        return "", instruction, "", asked

    async def _ask(self, question: Awaitable[T]) -> T:
        """The answer; the connection is not read meanwhile [rule 6]."""
        self.parts.throttle.pause(PauseReason.AUTHENTICATION)
        try:
            return await question
        except NoAnswer as exc:  # asyncssh sends it and closes
            raise asyncssh.DisconnectError(asyncssh.DISC_BY_APPLICATION, str(exc)) from None
        finally:
            self.parts.throttle.resume(PauseReason.AUTHENTICATION)

    # -- refusals ----------------------------------------------------------------------------

    def _may_try(self) -> bool:
        # Of two requests in one packet the second cancels the first, but its hashing continues.
        # So attempts are counted before hashing, and failures after.
        self._tries += 1
        if self._tries > self._limits.failures_per_connection_max or not (
            self.parts.slot.may_try(self._account_name)
        ):
            self._give_up()
            return False
        return True

    @property
    def _account_name(self) -> str:
        """The name without a code, which is not for the log."""
        return self._name.partition("+")[0]

    def _failed(self, how: LoginMethod) -> None:
        self._failures += 1
        failed = FailedLogin(self._account_name, how, "ssh")
        source_may_retry = self.parts.slot.count_failure(failed)
        if self._failures >= self._limits.failures_per_connection_max or not source_may_retry:
            self._give_up()

    def _give_up(self) -> None:
        self._has_given_up, self._name_status, self._proof = True, "refused", None
        self.parts.connection.disconnect(
            asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
            texts.TOO_MANY_WRONG_PASSWORDS,
        )

    def on_login_timeout(self) -> None:
        """Disconnect with a sentence.  Without a user name there is nobody to read it: abort."""
        if self._name and self.user is None:
            self.parts.connection.disconnect(
                asyncssh.DISC_BY_APPLICATION, self.parts.deadline.message
            )
        else:
            self.parts.connection.abort()

    def _refuse(self, sentence: str) -> None:
        self.parts.connection.send_auth_banner(sentence + "\r\n")
        # A client shows this in a row that begins with its own words: no row of the staff's.
        said = texts.WHY_IS_ABOVE if "\r\n" in sentence else sentence
        self.parts.connection.disconnect(asyncssh.DISC_ILLEGAL_USER_NAME, said)


def _public_line(key: asyncssh.SSHKey) -> str:
    return key.export_public_key().decode("ascii").strip()
