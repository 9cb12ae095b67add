<?php

$call = curl_init(getenv('BASE_URL') . '/payments/methods');
curl_setopt_array($call, [
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('API_KEY')],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
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
foreach ($body['methods'] as ['id' => $id, 'active' => $active]) {
    if ($active) {
        echo $id, "\n";
    }
}
