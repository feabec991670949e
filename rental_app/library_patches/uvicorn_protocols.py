"""uvicorn's ends of a connection, whose methods the server's limits extend (`infrastructure/supervisor.py`)."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
from uvicorn.server import Server

from rental_app.library_patches import Name, require

__all__ = ["HttpToolsProtocol", "WSProtocol"]
NAMES = (
    Name(HttpToolsProtocol, "__init__", "timeout_keep_alive timeout_keep_alive_task pipeline"),
    Name(HttpToolsProtocol, "connection_made", "transport client"),
    Name(HttpToolsProtocol, "connection_lost"),
    Name(HttpToolsProtocol, "data_received", "feed_data send_400_response"),
    Name(HttpToolsProtocol, "on_headers_complete", "pipeline"),
    Name(HttpToolsProtocol, "on_body"),
    Name(HttpToolsProtocol, "on_response_complete", "pipeline timeout_keep_alive_task timeout_keep_alive_handler"),
    Name(HttpToolsProtocol, "timeout_keep_alive_handler"),
    Name(WSProtocol, "connection_made", "transport client"),
    Name(WSProtocol, "connection_lost"),
    Name(WSProtocol, "pause_writing", "writable"),
    Name(WSProtocol, "resume_writing", "writable"),
    Name(WSProtocol, "handle_events", "handle_ping"),
    Name(Server, "on_tick", "callback_notify"),
)
require(*NAMES)
