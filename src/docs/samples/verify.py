import base64
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 300


def is_genuine(body: bytes, id: str, timestamp: str, signatures: str, secret: str) -> bool:
    """body: the raw bytes of the request, before anything parses them.
    id, timestamp, signatures: the headers webhook-id, webhook-timestamp
    and webhook-signature. secret: the webhook secret, including whsec_.
    """
    if not (timestamp.isdecimal() and len(timestamp) <= 15):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    # Without a secret, anyone could sign.
    if not key:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation there are two signatures: one match is enough.
    return any(
        hmac.compare_digest(b"v1," + digest, signature.encode())
        for signature in signatures.split(" ")
    )


# With Flask:
# @app.post("/webhooks/payments")
# def payments():
#     body = request.get_data()
#     header = lambda name: request.headers.get(name, "")
#     id, timestamp = header("webhook-id"), header("webhook-timestamp")
#     if not is_genuine(body, id, timestamp, header("webhook-signature"), secret):
#         return "", 401
#     payload = json.loads(body)
#     # Act once for each payload["data"]["id"] together with payload["event"].
#     return "", 200
