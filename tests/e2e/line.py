"""A way to the app that can be cut, as trains and lifts cut it."""

import socket
import threading
from contextlib import suppress


class Line:
    """Passes connections on to a port of this machine while it is whole."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = True
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """End what is connected and let nobody through any more."""
        self._whole = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Let the next one through."""
        self._whole = True

    def close(self) -> None:
        """End it for good."""
        self.cut()
        self._door.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                self._connect(self._door.accept()[0])

    def _connect(self, caller: socket.socket) -> None:
        if not self._whole:
            caller.close()
            return
        ends = caller, socket.create_connection(("127.0.0.1", self._target))
        self._ends += ends
        for source, sink in (ends, ends[::-1]):
            threading.Thread(target=_pass_on, args=(source, sink), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
