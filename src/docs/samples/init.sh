curl -sS --fail-with-body -X POST "$BASE_URL/payments/init" \
  -H "Authorization: Bearer $API_KEY" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: ORDER-1001-1' \
  -d '{
    "orderId": "ORDER-1001",
    "amount": 12.50,
    "storeUrl": "https://demo-shop.example",
    "customer": { "name": "Ana Silva", "email": "ana@demo-shop.example" },
    "items": [{ "id": "MUG-1", "name": "Mug", "quantity": 1, "priceInCents": 1250 }]
  }'
