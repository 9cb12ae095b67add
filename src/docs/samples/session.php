<?php

$order = [
    'orderId' => 'ORDER-1002',
    'amount' => 12.50,
    'storeUrl' => 'https://demo-shop.example',
    'customer' => ['name' => 'Ana Silva', 'email' => 'ana@demo-shop.example'],
    'items' => [['id' => 'MUG-1', 'name' => 'Mug', 'quantity' => 1, 'priceInCents' => 1250]],
    'successUrl' => 'https://demo-shop.example/thanks',
    'cancelUrl' => 'https://demo-shop.example/cart',
];
$call = curl_init(str_replace('/api/v1', '/checkout/v1', getenv('BASE_URL')) . '/sessions');
curl_setopt_array($call, [
    CURLOPT_POSTFIELDS => json_encode($order),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_KEY'),
        'Content-Type: application/json',
        // One key per session: a retry does not create a second one.
        'Idempotency-Key: ORDER-1002-1',
    ],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$answer = curl_exec($call);
if ($answer === false) {
    fwrite(STDERR, 'No response: ' . curl_error($call) . "\n");
    exit(1);
}
$body = json_decode($answer, true);
if (curl_getinfo($call, CURLINFO_RESPONSE_CODE) !== 200) {
    fwrite(STDERR, ($body['code'] ?? '') . ' ' . ($body['error'] ?? $answer) . "\n");
    exit(1);
}
// Store the sessionId with the order, then redirect the browser to this address.
echo $body['url'], "\n";
