"""Traces of requests, page events and their statements for an OpenTelemetry collector.

FastAPI itself makes the requests' spans.

The statements' spans are made here: no release of OpenTelemetry's instrumentation fits both SQLAlchemy and the SDK.
"""

from typing import TYPE_CHECKING, Any

from fastapi.telemetry import TelemetryConfig
from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from rental_app.infrastructure.settings import settings

if TYPE_CHECKING:
    from opentelemetry.trace import Span

# Never traced: what asks every few seconds whether the process is well.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
# Excluded as well: websockets, which last as long as their tab and name a state in their URL (their events have spans
# of their own), and calendars and shared trips, whose URLs are secret.
TRACED: TelemetryConfig = {
    # Otherwise FastAPI would check on every request whether anything receives traces.
    "tracing": bool(settings().traces_url),
    "metrics": False,
    "logs": False,
    "auto_configure": False,
    "exclude": lambda scope: (
        scope["type"] != "http" or scope["path"] in PROBES or scope["path"].startswith(("/ical/", "/trip/"))
    ),
}


def send(engine: Engine) -> None:
    """Have this process send its traces to RENTAL_TRACES_URL; if it is not set, nothing is even imported."""
    if not (url := settings().traces_url):
        return
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": settings().product_name.lower()}))
    exporter = OTLPSpanExporter(endpoint=f"{url.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    _follow(engine)


def begin_event(name: str) -> "Span | None":
    """Begin the span of a page's event, which its statements and log lines belong to; None if nothing is traced.

    It stays the current span to the end of its context: each event has one of its own, or begins another span.
    """
    if not settings().traces_url:
        return None
    from opentelemetry import context, trace

    span = trace.get_tracer(__name__).start_span(name, context.Context(), kind=trace.SpanKind.SERVER)
    context.attach(trace.set_span_in_context(span))
    return span


def end_event(span: "Span | None", outcome: str) -> None:
    """End the span of an event, with what became of it."""
    if span is None:
        return
    from opentelemetry.trace import StatusCode

    span.set_attribute("outcome", outcome)
    if outcome == "failed":
        span.set_status(StatusCode.ERROR)
    span.end()


def _follow(engine: Engine) -> None:
    """Record a child span of the request's for each of its statements; values are never recorded."""
    from opentelemetry import trace

    tracer = trace.get_tracer(__name__)

    def begun(statement: str) -> trace.Span:
        # Work that the process does by itself every few seconds belongs to no request.
        if not trace.get_current_span().is_recording():
            return trace.INVALID_SPAN
        attributes = {"db.system.name": engine.dialect.name, "db.query.text": statement}
        return tracer.start_span(statement.split(maxsplit=1)[0], kind=trace.SpanKind.CLIENT, attributes=attributes)

    @event.listens_for(engine, "before_cursor_execute")
    def _begin(_connection: Any, _cursor: Any, statement: str, _values: Any, context: Any, _many: bool) -> None:
        context.span = begun(statement)

    @event.listens_for(engine, "after_cursor_execute")
    def _end(_connection: Any, _cursor: Any, _statement: str, _values: Any, context: Any, _many: bool) -> None:
        context.span.end()

    @event.listens_for(engine, "handle_error")
    def _fail(failure: ExceptionContext) -> None:
        if span := getattr(failure.execution_context, "span", None):
            span.set_status(trace.StatusCode.ERROR, type(failure.original_exception).__name__)
            span.end()
