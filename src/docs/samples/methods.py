import json
import os
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    os.environ["BASE_URL"] + "/payments/methods",
    headers={"Authorization": "Bearer " + os.environ["API_KEY"]},
)
try:
    with urllib.request.urlopen(request, timeout=10) as answer:
        print([method["id"] for method in json.load(answer)["methods"] if method["active"]])
except urllib.error.HTTPError as refusal:
    problem = json.load(refusal)
    sys.exit(f"{refusal.code} {problem['code']} {problem.get('fields', [])} {problem['error']}")
except OSError as problem:
    sys.exit(f"No response: {problem}")
