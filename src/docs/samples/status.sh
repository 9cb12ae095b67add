curl -sS --fail-with-body "$BASE_URL/payments/status?transactionId=$TRANSACTION_ID" \
  -H "Authorization: Bearer $API_KEY"
