<?php

const TOLERANCE_SECONDS = 300;

/** Verifies the Standard Webhooks headers of a request with the raw body. */
function isGenuine(string $body, array $server, string $secret): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $sentAt = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $server['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > TOLERANCE_SECONDS) {
        return false;
    }
    // The key is the base64 after whsec_, decoded.
    $key = base64_decode(substr($secret, strlen('whsec_')));
    // Without a secret, anyone could sign.
    if ($key === '') {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
    // During a rotation there are two, separated by a space.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
