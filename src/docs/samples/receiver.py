import hashlib
import hmac
import json
import os
import sqlite3
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
if SECRET == "":
    sys.exit("Set WEBHOOK_SECRET to the webhookSecret of the merchant")
DATABASE = os.environ.get("SHOP_DATABASE", "shop.db")
with closing(sqlite3.connect(DATABASE)) as shop:
    shop.execute("CREATE TABLE IF NOT EXISTS seen (id TEXT, event TEXT, PRIMARY KEY (id, event))")


def is_genuine(body: bytes, signature: str, secret: str) -> bool:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), signature.encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # Verify the raw body: re-serialised JSON has different bytes.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(body, self.headers.get("X-Service-Signature", ""), SECRET):
            self.send_response(401)
            self.end_headers()
            return
        payload = json.loads(body)
        event, data = payload["event"], payload["data"]
        # Deduplicate on both: a payment.success after a payment.cancelled is real money.
        with closing(sqlite3.connect(DATABASE)) as shop, shop:
            new = shop.execute(
                "INSERT OR IGNORE INTO seen (id, event) VALUES (?, ?)", (data["id"], event)
            ).rowcount
            if new == 1:
                # Update the order here, in the same database transaction as the row above.
                print(event, data["externalOrderId"], data["amount"], flush=True)
        self.send_response(200)
        self.end_headers()


# Each request has a thread, so that a client that hangs holds up no other.
ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
