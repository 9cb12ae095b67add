<?php

$call = curl_init(getenv('BASE_URL') . '/payments/multibanco');
curl_setopt_array($call, [
    CURLOPT_POSTFIELDS => json_encode(['transactionId' => getenv('TRANSACTION_ID')]),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
echo curl_exec($call);
