"""SSH packets of a line of text, sealed with AES-GCM: built and opened in few steps.

Rule 1: the bytes are those of asyncssh; what is no whole packet of text is left to it, unchanged.

Sources: asyncssh 2.24.1 (crypto/cipher.py, connection.py), RFC 4253, 6, RFC 4254, 5.2, RFC 5647.
"""

from __future__ import annotations

import os
import struct

from asyncssh.constants import MSG_CHANNEL_DATA
from asyncssh.crypto.cipher import GCMCipher
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

INVOCATION_MAX = (1 << 64) - 1  # of the counter in an initialization vector; RFC 5647, 7.1
TAG_BYTES = 16  # behind each packet
BLOCK_BYTES = 16
PADDING_BYTES_MIN = 4
OPENED_BYTES_MAX = 1_024  # of a packet that may be opened twice: here, and then by asyncssh
IGNORED = b"\x02\0\0\0\0"  # asyncssh's clients send this before each packet of text

_TEXT_HEAD = struct.Struct(">BBII")  # padding, type, channel, length of the text


class KeyedGCMCipher(GCMCipher):
    """AES-GCM that keeps its key schedule, with the same bytes as asyncssh's."""

    def __init__(self, cipher_name: str, key: bytes, iv: bytes) -> None:
        super().__init__(cipher_name, key, iv)
        self._keyed = AESGCM(key)
        self._invocation = int.from_bytes(iv[4:], "big")

    def encrypt_and_sign(self, header: bytes, data: bytes) -> tuple[bytes, bytes]:
        sealed = self._keyed.encrypt(self._iv, data, header)
        self._update_iv()
        return header + sealed, b""  # the signature is the end of it

    def _update_iv(self) -> None:
        self._invocation = (self._invocation + 1) & INVOCATION_MAX
        self._iv = self._iv[:4] + self._invocation.to_bytes(8, "big")

    def verify_and_decrypt(self, header: bytes, data: bytes, mac: bytes) -> bytes | None:
        opened = self._open(header, data + mac)
        self._update_iv()
        return opened

    def _open(self, header: bytes, sealed: bytes) -> bytes | None:
        # The packet stays the next one.
        try:
            return self._keyed.decrypt(self._iv, sealed, header)
        except InvalidTag:
            return None

    # -- packets of text ---------------------------------------------------------------------

    def seal_text(self, channel: int, text: bytes) -> bytes:
        """The next packet that is sent, with *text* on *channel*."""
        padding = -(_TEXT_HEAD.size + len(text)) % BLOCK_BYTES
        if padding < PADDING_BYTES_MIN:
            padding += BLOCK_BYTES
        head = _TEXT_HEAD.pack(padding, MSG_CHANNEL_DATA, channel, len(text))
        packet = head + text + os.urandom(padding)
        header = len(packet).to_bytes(4, "big")
        sealed = self._keyed.encrypt(self._iv, packet, header)
        self._update_iv()
        return header + sealed

    def find_text(self, buffer: bytes) -> tuple[int, int, bytes] | None:
        """What the next packet, at the beginning of *buffer*, says.  `skip` goes on behind it.

        Returns:
            Its end in *buffer*, the channel and the text; b"": it is to be ignored.  None: it is
            of another kind, it is long or damaged, or there is more of it to come.
        """
        header = buffer[:4]
        end = 4 + int.from_bytes(header, "big") + TAG_BYTES
        if not 4 + _TEXT_HEAD.size + TAG_BYTES <= end <= min(len(buffer), OPENED_BYTES_MAX):
            return None
        packet = self._open(header, buffer[4:end])
        if packet is None:
            return None
        padding, kind, channel, count = _TEXT_HEAD.unpack_from(packet)
        if padding < PADDING_BYTES_MIN:
            return None
        if kind == MSG_CHANNEL_DATA and len(packet) - padding == _TEXT_HEAD.size + count and count:
            return end, channel, packet[_TEXT_HEAD.size : -padding]
        return (end, 0, b"") if packet[1:-padding] == IGNORED else None

    def skip(self) -> None:
        """The packet that `find_text` has found is dealt with."""
        self._update_iv()
