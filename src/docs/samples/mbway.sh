curl -sS --fail-with-body -X POST "$BASE_URL/payments/mbway" \
  -H "Authorization: Bearer $API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{ "transactionId": "'"$TRANSACTION_ID"'", "phoneNumber": "911000001" }'
