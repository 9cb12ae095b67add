import json
import os
import sys
import urllib.error
import urllib.request

order = {
    "orderId": "ORDER-1001",
    "amount": 12.50,
    "storeUrl": "https://demo-shop.example",
    "customer": {"name": "Ana Silva", "email": "ana@demo-shop.example"},
    "items": [{"id": "MUG-1", "name": "Mug", "quantity": 1, "priceInCents": 1250}],
}
request = urllib.request.Request(
    os.environ["BASE_URL"] + "/payments/init",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["API_KEY"],
        "Content-Type": "application/json",
        # One key per attempt to pay an order: a retry does not create a second payment.
        "Idempotency-Key": "ORDER-1001-1",
    },
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        # Store it with the order: later calls need it and webhooks carry it as data.id.
        print(json.load(answer)["transactionId"])
except urllib.error.HTTPError as refusal:
    sys.exit(f"{refusal.code} {refusal.read().decode(errors='replace')}")
# Whatever a proxy answers instead of the service.
except Exception as problem:
    sys.exit(f"No response: {problem!r}")
