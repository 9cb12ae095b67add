import { createPaymentsClient, PaymentsError } from 'payment-collection-client';
import { verifyWebhook, WebhookVerificationError } from 'payment-collection-client/webhooks';
import work from './work.cjs';

work({ createPaymentsClient, PaymentsError }, { verifyWebhook, WebhookVerificationError });
