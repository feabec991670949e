"""Changes to Reflex's client: which host it talks to, what it does not queue or send twice, which page it reports, that
it does not redirect users who have left, or past the entry of an open dialog, that it sends what was typed before what
was pressed, that it leaves colours alone that are already right, which a script of ours sets, and that it does not keep
libraries whole."""

import re
from typing import Any

from reflex_base.plugins.base import Plugin

from rental_app.reflex_patches.patches import extended, renew

_BACKEND = "const endpoint = new URL(url_str);"
_SAME_HOST = """
  if (typeof window !== "undefined") {
    endpoint.host = window.location.host;
    endpoint.protocol = endpoint.protocol.replace(/(?<=^ws|^http)s?/, window.location.protocol === "https:" ? "s" : "");
    return endpoint;
  }"""

# An event that changes something (`change` in web/session/handlers.py) is refused without a connection instead of being
# queued, and is in doubt if the connection ends before the server has acknowledged it; other events that wait for a
# connection are dropped when their page is left.
_NO_QUEUE = (
    (
        "const event_queue = [];",
        """
const refuse = () => window.dispatchEvent(new Event("not-sent"));
const dropWaiting = () => {
  event_queue.splice(0, Infinity, ...event_queue.filter((event) => !event.name?.startsWith(app.state_name)));
};""",
    ),
    (
        "return applyEventActions(\n      () => ",
        "event_actions.change && !(navigator.onLine && socket.current?.connected) ? refuse() : ",
    ),
    (
        "window.__reflex_otel?.onEventSend?.(routed_event);",
        """
    if (routed_event.event_actions?.change) {
      const doubt = () => window.dispatchEvent(new CustomEvent("not-sent", { detail: "unsure" }));
      socket.emitWithAck("event", encodeFormDataArgs(routed_event)).catch(doubt);
      return;
    }""",
    ),
    (
        'socket.current.on("disconnect", (reason, details) => {',
        # Socket.IO buffers what it is given for a connection that it finds dead; that has certainly not arrived.
        """
    const unsent = socket.current.sendBuffer.splice(0);
    unsent.forEach(({ id }) => delete socket.current.acks[id]);
    if (unsent.length) refuse();""",
    ),
    (
        "// Equivalent to routeChangeStart - runs when navigation begins",
        "\n    if (!socket.current?.connected) dropWaiting();",
    ),
)
# The path is the router's, which during navigation may still be the old one when the address is already the new one.
_LIVE = "const liveLoc = env.MOUNT_TARGET"
_SAME_PAGE = " || window.location.pathname !== loc.pathname"
_GO = 'if (event.name == "_redirect") {'
_IF_STILL_THERE = "\n    if (event.payload.asked_on && event.payload.asked_on !== window.location.pathname) return;"
_THERE = "pathname = url.pathname + url.search + url.hash;\n      }\n    }"
_ONE_ENTRY = "\n    if (pathname === window.location.pathname + window.location.search) event.payload.replace = true;"
_FROM_DIALOGS = "\n    navigate = window.fromDialogs?.(navigate) ?? navigate;"
# Of two quick presses for the same change only one is sent: the second would be refused because of what the first has
# done, or do it again.
_ONCE = (
    (
        "const cookies = new Cookies();",
        """
let pressed = {};
const isRepeated = (press) => {
  const before = pressed;
  pressed = { press, at: Date.now() };
  return before.press === press && pressed.at - before.at < 500;
};""",
    ),
    (" ? refuse() : ", "event_actions.change && isRepeated(JSON.stringify(_events)) ? undefined : "),
)
# Debounced calls, which wait for a pause in typing.
_PAUSE = (
    (
        "const debounce_timeout_id = {};",
        """
const waiting = {};
const call = (key) => {
  const func = waiting[key];
  delete waiting[key];
  func?.();
};
export const flush = () => Object.keys(waiting).forEach(call);""",
    ),
    (
        "const key = `${name}__${delay}`;",
        """
  waiting[key] = func;
  func = () => call(key);""",
    ),
)
_IN_ORDER = (
    ('import debounce from "$/utils/helpers/debounce";', '\nimport { flush } from "$/utils/helpers/debounce";'),
    ("debounce(resolved_action_key, invokeTarget, event_actions.debounce);\n    return;\n  }", "\n  flush();"),
)
# Removing a class and adding it again restyles the whole page.
_COLOURED = "const root = window.document.documentElement;"
_RIGHT_ALREADY = "\n    if (root.classList.contains(resolvedTheme)) return;"

# The script in every head that colours the page: ours does that (`web/react/server_rendered/early.js`).
_COLOURS = re.compile(r'jsx\("script",\{\},"\\n// Only run in browser environment.*?\\n"\),')
# Libraries that every page keeps whole for components sent as text while it runs, of which there are none.
_LIBRARIES = re.compile(
    r'if \(typeof window !== "undefined"\) {\n  window\.__reflex = .*?\n}\n'
    r"|import \* as (emotion_react|utils_\w+) from .*?\n",
    re.DOTALL,
)


def same_host(source: str) -> str:
    """Talk to the host and port the page came from, so that one build serves anywhere."""
    return extended(source, _BACKEND, _SAME_HOST)


def without_queue(source: str) -> str:
    """Refuse changes without a connection, and say so (`web/react/connection` shows it)."""
    return _extended(source, _NO_QUEUE)


def once(source: str) -> str:
    """Send a change only once when its button is pressed twice; must come after `without_queue`."""
    return _extended(source, _ONCE)


def one_address(source: str) -> str:
    """Send with an event the path and the query of one page, not the path of one and the query of the next."""
    return extended(source, _LIVE, _SAME_PAGE)


def only_from_there(source: str) -> str:
    """Redirect nobody who has meanwhile left the page on which they asked for it (`states.events.redirect`)."""
    return extended(source, _GO, _IF_STILL_THERE)


def one_entry(source: str) -> str:
    """Redirect to the address that is open already without another entry for Back, as links of the router do."""
    return extended(source, _THERE, _ONE_ENTRY)


def from_dialogs(source: str) -> str:
    """Redirect without breaking the history entry that dialogs share (`web/react/modal/dialogs.js`)."""
    return extended(source, _GO, _FROM_DIALOGS)


def without_pause(source: str) -> str:
    """Let calls that wait for a pause in typing be made at once."""
    return _extended(source, _PAUSE)


def typed_before_pressed(source: str) -> str:
    """Send what was typed before what is pressed next: later, a filter would narrow a search it was not typed for."""
    return _extended(source, _IN_ORDER)


def steady_colours(source: str) -> str:
    """Leave the document in the colours that the script in its head has set."""
    return extended(source, _COLOURED, _RIGHT_ALREADY)


def coloured_early(source: str) -> str:
    """Leave it to our own script in the head to colour the page before it is shown: Reflex's says most of it twice."""
    found, times = _COLOURS.subn("", source)
    if times != 1:
        raise RuntimeError("Reflex's output has changed: the script that colours pages is not as expected")
    return found


def without_whole_libraries(source: str) -> str:
    """Let the bundler leave out what no page uses of the libraries that Reflex keeps for components sent as text."""
    found, times = _LIBRARIES.subn("", source)
    if times != 5:
        raise RuntimeError("Reflex's output has changed: the libraries of all pages are not as expected")
    return found


def _extended(source: str, additions: tuple[tuple[str, str], ...]) -> str:
    for anchor, addition in additions:
        source = extended(source, anchor, addition)
    return source


CHANGES = (
    ("utils/state.js", same_host),
    ("utils/state.js", without_queue),
    ("utils/state.js", once),
    ("utils/state.js", one_address),
    ("utils/state.js", only_from_there),
    ("utils/state.js", one_entry),
    ("utils/state.js", from_dialogs),
    ("utils/state.js", typed_before_pressed),
    ("utils/helpers/debounce.js", without_pause),
    ("utils/react-theme.js", steady_colours),
    ("app/_document.js", coloured_early),
    ("app/root.jsx", without_whole_libraries),
)


class OwnClient(Plugin):
    """Has pages talk to the host they came from, send events at once or not at all, once and in order, report one page,
    redirect only from there, to one entry and from open dialogs, be coloured once, and weigh no
    more than they use."""

    def pre_compile(self, **context: Any) -> None:
        """Register the changes with the compiler, for files without those of an earlier build."""
        renew()
        for file, change in CHANGES:
            context["add_modify_task"](file, change)
