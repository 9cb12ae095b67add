const { createPaymentsClient, PaymentsError } = require('payment-collection-service/client');
const { verifyWebhook, WebhookVerificationError } = require('payment-collection-service/webhooks');
const work = require('./work.cjs');

work({ createPaymentsClient, PaymentsError }, { verifyWebhook, WebhookVerificationError });
