<?php

// php -S 0.0.0.0:3000 receiver.php
function isGenuine(string $body, string $signature, string $secret): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
    return hash_equals($expected, $signature);
}

$secret = getenv('WEBHOOK_SECRET');
if ($secret === false || $secret === '') {
    // Without a secret, anyone could sign.
    http_response_code(500);
    exit('WEBHOOK_SECRET is not set');
}
// Verify the raw body: re-serialised JSON has different bytes.
$body = file_get_contents('php://input');
$signature = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '';
if (!isGenuine($body, $signature, $secret)) {
    http_response_code(401);
    exit;
}

// PHP returns 200 after a fatal error: return 500 until the event is stored.
http_response_code(500);
$payload = json_decode($body, true);
['id' => $id, 'externalOrderId' => $order, 'amount' => $amount] = $payload['data'];

$shop = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.db'));
$shop->exec('CREATE TABLE IF NOT EXISTS seen (id TEXT, event TEXT, PRIMARY KEY (id, event))');
$shop->beginTransaction();
// Deduplicate on both: a payment.success after a payment.cancelled is real money.
$remember = $shop->prepare('INSERT OR IGNORE INTO seen (id, event) VALUES (?, ?)');
$remember->execute([$id, $payload['event']]);
if ($remember->rowCount() === 1) {
    // Update the order here, in the same database transaction as the row above.
    error_log("{$payload['event']} $order $amount");
}
$shop->commit();
http_response_code(200);
