curl -sS --fail-with-body -X POST "${BASE_URL%/api/v1}/checkout/v1/sessions" \
  -H "Authorization: Bearer $API_KEY" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: ORDER-1002-1' \
  -d '{
    "orderId": "ORDER-1002",
    "amount": 12.50,
    "storeUrl": "https://demo-shop.example",
    "customer": { "name": "Ana Silva", "email": "ana@demo-shop.example" },
    "items": [{ "id": "MUG-1", "name": "Mug", "quantity": 1, "priceInCents": 1250 }],
    "successUrl": "https://demo-shop.example/thanks",
    "cancelUrl": "https://demo-shop.example/cart"
  }'
