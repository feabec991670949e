"""Traces of requests for an OpenTelemetry collector: FastAPI makes them as soon as anybody wants them."""

from fastapi.telemetry import TelemetryConfig

from rental_app.settings import settings

# A websocket lasts as long as its tab, and its address names a state.
TRACED: TelemetryConfig = {
    "metrics": False,
    "logs": False,
    "auto_configure": False,
    "exclude": lambda scope: scope["type"] != "http",
}


def send() -> None:
    """Have this process send its traces to RENTAL_TRACES_URL; without one nothing is even imported."""
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
