<?php

$call = curl_init(getenv('BASE_URL') . '/payments/mbway');
curl_setopt_array($call, [
    CURLOPT_POSTFIELDS => json_encode([
        'transactionId' => getenv('TRANSACTION_ID'),
        'phoneNumber' => '911000001',
    ]),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_KEY'),
        'Content-Type: application/json',
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
if ($status !== 200 || !isset($body['message'])) {
    fwrite(STDERR, "$status $answer\n");
    exit(1);
}
echo $body['message'], "\n";
