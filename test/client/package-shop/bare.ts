import { createPaymentsClient } from 'payment-collection-client';
import { verifyWebhook } from 'payment-collection-client/webhooks';

export const payments = createPaymentsClient({ baseUrl: 'https://pay.example/api/v1', apiKey: 'key' });
export const verified = verifyWebhook('{}', { 'x-service-signature': 'sha256=' }, 'whsec_1');
