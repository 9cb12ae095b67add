import client = require('payment-collection-service/client');
import webhooks = require('payment-collection-service/webhooks');

const payments: client.PaymentsClient = client.createPaymentsClient({
  baseUrl: 'https://pay.example/api/v1',
  apiKey: 'key',
});
export = { payments, verify: webhooks.verifyWebhook };
