curl -sS --fail-with-body "$BASE_URL/payments/methods" \
  -H "Authorization: Bearer $API_KEY"
