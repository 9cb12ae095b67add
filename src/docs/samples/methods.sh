curl -sS "$BASE_URL/payments/methods" \
  -H "Authorization: Bearer $API_KEY"
