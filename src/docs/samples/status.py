import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

query = urllib.parse.urlencode({"transactionId": os.environ["TRANSACTION_ID"]})
request = urllib.request.Request(
    os.environ["BASE_URL"] + "/payments/status?" + query,
    headers={"Authorization": "Bearer " + os.environ["API_KEY"]},
)
try:
    with urllib.request.urlopen(request, timeout=10) as answer:
        print(json.load(answer)["status"])
except urllib.error.HTTPError as refusal:
    problem = json.load(refusal)
    sys.exit(f"{refusal.code} {problem['code']} {problem.get('fields', [])} {problem['error']}")
except OSError as problem:
    sys.exit(f"No response: {problem}")
