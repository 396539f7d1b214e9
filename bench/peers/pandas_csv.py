"""pandas' ways to read a CSV file, with its C engine. A line of JSON in; milliseconds out, or peak memory in MB."""
import json
import resource
import subprocess
import sys
import time

import pandas as pd

WAYS = (True, False)


def name_of(low_memory):
    return f"pandas {pd.__version__}, low_memory={low_memory}"


def measure_time(path):
    times = {}
    for low_memory in WAYS:
        start = time.perf_counter()
        pd.read_csv(path, low_memory=low_memory)
        times[name_of(low_memory)] = (time.perf_counter() - start) * 1e3
    return times


def measure_memory(path):
    """Each way in a fresh process, which has held nothing else."""
    runs = {}
    for low_memory in WAYS:
        command = [sys.executable, __file__, path, str(int(low_memory))]
        runs[name_of(low_memory)] = float(subprocess.run(command, capture_output=True, check=True).stdout)
    return runs


def peak_memory():
    """In MB. Linux hands ru_maxrss on from the process that started this one; VmHWM is its own."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


if len(sys.argv) > 1:
    table = pd.read_csv(sys.argv[1], low_memory=bool(int(sys.argv[2])))
    print(peak_memory())
else:
    for line in sys.stdin:
        request = json.loads(line)
        measure = {"time": measure_time, "memory": measure_memory}[request["work"]]
        print(json.dumps(measure(request["path"])), flush=True)
