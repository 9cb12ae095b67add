import client = require('payment-collection-client');
import webhooks = require('payment-collection-client/webhooks');

const payments: client.PaymentsClient = client.createPaymentsClient({
  baseUrl: 'https://pay.example/api/v1',
  apiKey: 'key',
});
export = { payments, verify: webhooks.verifyWebhook };
