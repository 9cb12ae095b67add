<?php

const TOLERANCE_SECONDS = 300;

/**
 * $body: the raw request, before anything parses it.
 * $id, $timestamp, $signatures: the headers webhook-id, webhook-timestamp
 * and webhook-signature. $secret: the webhook secret, including whsec_.
 */
function isGenuine(
    string $body,
    string $id,
    string $timestamp,
    string $signatures,
    string $secret
): bool {
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    // Without a secret, anyone could sign.
    if ($key === '') {
        return false;
    }
    $digest = hash_hmac('sha256', $id . '.' . $timestamp . '.' . $body, $key, true);
    $expected = 'v1,' . base64_encode($digest);
    // During a rotation there are two signatures: one match is enough.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// In the script that receives the webhook:
// $body = file_get_contents('php://input');
// $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
// $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
// $signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
// if (!isGenuine($body, $id, $timestamp, $signatures, $secret)) {
//     http_response_code(401);
//     exit;
// }
// // PHP returns 200 after a fatal error: return 500 until the event is processed.
// http_response_code(500);
// $payload = json_decode($body, true);
// // Act once for each $payload['data']['id'] together with $payload['event'].
// http_response_code(200);
