"""Traces of requests and their statements for an OpenTelemetry collector: FastAPI itself makes the requests' spans.

The statements' spans are made here: no release of OpenTelemetry's instrumentation fits both SQLAlchemy and the SDK.
"""

from typing import Any

from fastapi.telemetry import TelemetryConfig
from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from rental_app.infrastructure.settings import settings

# Excluded: websockets, which last as long as their tab and name a state in their URL, and calendars, whose URL is
# secret.
TRACED: TelemetryConfig = {
    # Otherwise FastAPI would check on every request whether anything receives traces.
    "tracing": bool(settings().traces_url),
    "metrics": False,
    "logs": False,
    "auto_configure": False,
    "exclude": lambda scope: scope["type"] != "http" or scope["path"].startswith("/ical/"),
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


def _follow(engine: Engine) -> None:
    """Record a child span of the request's for each of its statements; values are never recorded."""
    from opentelemetry import trace

    tracer = trace.get_tracer(__name__)

    def begun(statement: str) -> trace.Span:
        # Work that the process does by itself every few seconds belongs to no request.
        if not trace.get_current_span().is_recording():
            return trace.INVALID_SPAN
        told = {"db.system.name": engine.dialect.name, "db.query.text": statement}
        return tracer.start_span(statement.split(maxsplit=1)[0], kind=trace.SpanKind.CLIENT, attributes=told)

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
