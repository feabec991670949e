"""What workers and their master measure comes together, whether there is one worker or several."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# A master whose worker has died, and the worker that took its place.
MASTER = """
import json, os
from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from rental_app.infrastructure import metrics

metrics.DEATHS.inc()
read, write = os.pipe()
if os.fork():
    os.close(write)
    print(os.read(read, 100_000).decode())
    os.wait()
else:
    metrics.measure_process()
    metrics.PARTS.labels("redis").set(1)
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    samples = [[s.name, *s.labels.values(), s.value] for family in registry.collect() for s in family.samples]
    os.write(write, json.dumps([os.getpid(), [s for s in samples if s[0].startswith("rental_")]]).encode())
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_tells_its_own_measures_and_the_deaths_of_others(workers: int, tmp_path: Path) -> None:
    shared = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)} if workers > 1 else {}
    command = [sys.executable, "-c", MASTER]
    done = subprocess.run(command, env=os.environ | shared, capture_output=True, text=True, check=True)
    worker, samples = json.loads(done.stdout)
    told = {" ".join(names): value for *names, value in samples}
    assert told["rental_worker_deaths_total"] == 1
    assert told["rental_part_up redis"] == 1
    assert [name for name in told if name.startswith("rental_worker_memory")] == [
        f"rental_worker_memory_bytes {worker}"
    ]
    assert told[f"rental_worker_open_files {worker}"] > 0
