<?php

$call = curl_init(getenv('BASE_URL') . '/payments/methods');
curl_setopt_array($call, [
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('API_KEY')],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
]);
echo curl_exec($call);
