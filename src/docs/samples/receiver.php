<?php

// php -S 127.0.0.1:3000 receiver.php
function isGenuine(string $body, string $signature, string $secret): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
    return hash_equals($expected, $signature);
}

$secret = getenv('WEBHOOK_SECRET');
if ($secret === false || $secret === '') {
    // Without a secret anybody could sign.
    http_response_code(500);
    exit('WEBHOOK_SECRET is not set');
}
// The bytes as they arrived: parsed and written again they would be others.
$body = file_get_contents('php://input');
$signature = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '';
if (!isGenuine($body, $signature, $secret)) {
    http_response_code(401);
    exit;
}

// Until it is committed: PHP answers 200 to a fatal error, and the event would count as delivered.
http_response_code(500);
$payload = json_decode($body, true);
['id' => $id, 'externalOrderId' => $order, 'amount' => $amount] = $payload['data'];

$shop = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.db'));
$shop->exec('CREATE TABLE IF NOT EXISTS seen (id TEXT, event TEXT, PRIMARY KEY (id, event))');
// Both together: a payment.success after a payment.cancelled is real money.
$remember = $shop->prepare('INSERT OR IGNORE INTO seen (id, event) VALUES (?, ?)');
$remember->execute([$id, $payload['event']]);
if ($remember->rowCount() === 1) {
    // In a shop: mark the order here, in one database transaction with the row above.
    error_log("{$payload['event']} $order $amount");
}
http_response_code(200);
