"""A gateway for text messages, and what it has been handed."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Gateway:
    """A local HTTP server that keeps what it receives, and answers with `status`."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.status = 200

    def take(self) -> list[dict[str, Any]]:
        """Return what has come since the last call."""
        taken, self.got = self.got, []
        return taken


@contextmanager
def running() -> Iterator[tuple[Gateway, str]]:
    """A gateway, and its URL."""
    gateway = Gateway()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if gateway.status == 200:
                gateway.got.append(json.loads(body))
            self.send_response(gateway.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield gateway, f"http://someone:secret@127.0.0.1:{server.server_port}/send"
    server.shutdown()
    server.server_close()
