import base64
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 300


def is_genuine(body: bytes, headers, secret: str) -> bool:
    """Verifies the Standard Webhooks headers of a request with the raw body."""
    message_id = headers.get("webhook-id", "")
    sent_at = headers.get("webhook-timestamp", "")
    if not (sent_at.isdecimal() and len(sent_at) <= 15):
        return False
    if abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    # The key is the base64 after whsec_, decoded.
    key = base64.b64decode(secret.removeprefix("whsec_"))
    # Without a secret, anyone could sign.
    if not key:
        return False
    signed = f"{message_id}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation there are two, separated by a space.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, signature) for signature in signatures)
