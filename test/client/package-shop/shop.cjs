const { createPaymentsClient, PaymentsError } = require('payment-collection-client');
const { verifyWebhook, WebhookVerificationError } = require('payment-collection-client/webhooks');
const work = require('./work.cjs');

work({ createPaymentsClient, PaymentsError }, { verifyWebhook, WebhookVerificationError });
