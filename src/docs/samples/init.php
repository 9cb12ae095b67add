<?php

$order = [
    'orderId' => 'ORDER-1001',
    'amount' => 12.50,
    'storeUrl' => 'https://demo-shop.example',
    'customer' => ['name' => 'Ana Silva', 'email' => 'ana@demo-shop.example'],
    'items' => [['id' => 'MUG-1', 'name' => 'Mug', 'quantity' => 1, 'priceInCents' => 1250]],
];
$call = curl_init(getenv('BASE_URL') . '/payments/init');
curl_setopt_array($call, [
    CURLOPT_POSTFIELDS => json_encode($order),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_KEY'),
        'Content-Type: application/json',
        // One key per attempt to pay an order: a retry does not create a second payment.
        'Idempotency-Key: ORDER-1001-1',
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
$status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
if ($status !== 200 || !isset($body['transactionId'])) {
    fwrite(STDERR, "$status $answer\n");
    exit(1);
}
// Store it with the order: later calls need it and webhooks carry it as data.id.
echo $body['transactionId'], "\n";
