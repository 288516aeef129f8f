"""Runs programs from lines of JSON in one interpreter, and prints what each of them prints, as JSON."""

import json
import os
import sys
import traceback
import urllib.request

statuses = []
urlopen = urllib.request.urlopen


def recording(request):
    response = urlopen(request)
    statuses.append(response.status)
    return response


urllib.request.urlopen = recording

for line in sys.stdin:
    program = json.loads(line)
    os.environ.update(program["environment"])
    statuses.clear()
    printed = []
    try:
        exec(compile(program["source"], "sample", "exec"), {"print": printed.append})
        answer = {"status": statuses[-1], "printed": printed[-1]}
    except urllib.error.HTTPError as error:
        answer = {"error": f"{error.code} {error.read().decode()}"}
    except Exception:
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer))
    print(program["end"], flush=True)
