"""Dashboard and alert rules ask for what there is: each expression parses, each metric and label is the product's."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import Histogram
from prometheus_client.metrics import MetricWrapperBase

from rental_app.api.metrics import RequestedMetrics
from rental_app.infrastructure import metrics

DEPLOY = Path(__file__).parents[1] / "deploy"
# Prometheus itself gives these to whatever it scrapes.
SCRAPED = {"job", "instance"}


def given() -> dict[str, set[str]]:
    """Return the labels of each series at `/metrics`, by its name."""
    found = {"up": SCRAPED}
    for metric in vars(metrics).values():
        if isinstance(metric, MetricWrapperBase):
            labels = SCRAPED | set(metric._labelnames)
            suffixes = ("_bucket", "_sum", "_count") if isinstance(metric, Histogram) else ("",)
            name = next(iter(metric.describe())).name + ("_total" if metric._type == "counter" else "")
            found |= {name + suffix: labels | ({"le"} if suffix == "_bucket" else set()) for suffix in suffixes}
    # `labels` of a family are known only to the family.
    return found | {family.name: SCRAPED | set(family._labelnames) for family in RequestedMetrics().describe()}


def problems(expression: str) -> list[str]:
    """Return what an expression asks for that the product does not give; raises ValueError if it does not parse."""
    named: set[str] = set()
    labels: set[str] = set()

    def visit(node: Any) -> None:
        if isinstance(node, promql_parser.VectorSelector):
            named.add(node.name or "")
            labels.update(matcher.name for matcher in node.matchers.matchers)
        elif isinstance(node, promql_parser.AggregateExpr) and node.modifier:
            labels.update(node.modifier.labels)

    promql_parser.walk(promql_parser.parse(expression), visit)
    known = given()
    wrong = [name for name in named if name not in known]
    each = [known[name] for name in named - set(wrong)]
    return sorted(wrong) + sorted(labels - set().union(*each))


def rules() -> list[dict[str, Any]]:
    """Return the alert rules."""
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """Return the dashboard's panels."""
    read: list[dict[str, Any]] = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
    return read


def expressions() -> Iterator[str]:
    """Yield what alert rules and dashboard ask for."""
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_what_is_asked_for_is_given(expression: str) -> None:
    assert problems(expression) == [], "see rental_app/infrastructure/metrics.py for what there is"


def test_texts_name_labels_that_their_expressions_have() -> None:
    texts = [(rule["expr"], rule["annotations"]["summary"]) for rule in rules()]
    texts += [(target["expr"], target["legendFormat"]) for panel in panels() for target in panel["targets"]]
    for expression, text in texts:
        labels = [name for name in re.findall(r"{{ ?(?:\$labels\.)?(\w+) ?}}", text) if name not in SCRAPED]
        assert problems(f"sum by ({', '.join(labels)}) ({expression})") == [], text
        assert [name for name in labels if "by (" in expression and name not in expression] == []


def test_whatever_is_given_is_shown() -> None:
    asked = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    metrics_given = {name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") for name in given()}
    assert [name for name in metrics_given if name not in asked] == []
