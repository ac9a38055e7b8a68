"""A socket of which the other end takes what the test says; it behaves as asyncio's own."""

from __future__ import annotations

import asyncio

from mudserver.wall.stream import WallStream


class FullSocket(asyncio.Transport):
    """Args: stream: At this end; it is connected at once."""

    def __init__(self, stream: WallStream) -> None:
        super().__init__()
        self._stream, self._high, self.written = stream, 0, bytearray()
        self._is_paused = self._is_closing = False
        stream.connection_made(self)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        assert high is not None
        self._high = high

    def get_write_buffer_size(self) -> int:
        return len(self.written)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_closing:
            return
        self.written += data
        if len(self.written) > self._high and not self._is_paused:
            self._is_paused = True
            self._stream.pause_writing()

    def take(self, count: int | None = None) -> bytes:
        """Of what was written the first *count* bytes; None: all."""
        taken = bytes(self.written[:count])
        del self.written[:count]
        if self._is_paused and len(self.written) <= self._high // 4:
            self._is_paused = False
            self._stream.resume_writing()
        return taken

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self.written.clear()
            asyncio.get_running_loop().call_soon(self._stream.connection_lost, None)
