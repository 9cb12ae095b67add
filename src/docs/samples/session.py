import json
import os
import sys
import urllib.error
import urllib.request

order = {
    "orderId": "ORDER-1002",
    "amount": 12.50,
    "storeUrl": "https://demo-shop.example",
    "customer": {"name": "Ana Silva", "email": "ana@demo-shop.example"},
    "items": [{"id": "MUG-1", "name": "Mug", "quantity": 1, "priceInCents": 1250}],
    "successUrl": "https://demo-shop.example/thanks",
    "cancelUrl": "https://demo-shop.example/cart",
}
request = urllib.request.Request(
    os.environ["BASE_URL"].replace("/api/v1", "/checkout/v1") + "/sessions",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["API_KEY"],
        "Content-Type": "application/json",
        # One key per session: a retry does not create a second one.
        "Idempotency-Key": "ORDER-1002-1",
    },
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        # Store the sessionId with the order, then redirect the browser to this address.
        print(json.load(answer)["url"])
except urllib.error.HTTPError as refusal:
    problem = json.load(refusal)
    sys.exit(f"{refusal.code} {problem['code']} {problem.get('fields', [])} {problem['error']}")
except OSError as problem:
    sys.exit(f"No response: {problem}")
