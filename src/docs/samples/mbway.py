import json
import os
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    os.environ["BASE_URL"] + "/payments/mbway",
    data=json.dumps({"transactionId": os.environ["TRANSACTION_ID"], "phoneNumber": "911000001"}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["API_KEY"],
        "Content-Type": "application/json",
    },
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        print(json.load(answer)["message"])
except urllib.error.HTTPError as refusal:
    sys.exit(f"{refusal.code} {refusal.read().decode(errors='replace')}")
# Whatever a proxy answers instead of the service.
except Exception as problem:
    sys.exit(f"No response: {problem!r}")
