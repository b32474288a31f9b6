"""Runs a command and writes what it used, with all its children, to the file named by SVC_BENCH_USAGE."""

import json
import os
import resource
import subprocess
import sys

code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
# Linux counts in KiB, macOS in bytes; it is the largest process, not the sum.
peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
with open(os.environ["SVC_BENCH_USAGE"], "w") as file:
    json.dump({"rssBytes": peak, "cpuMs": (used.ru_utime + used.ru_stime) * 1000}, file)
sys.exit(code)
