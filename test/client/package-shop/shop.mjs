import { createPaymentsClient, PaymentsError } from 'payment-collection-service/client';
import { verifyWebhook, WebhookVerificationError } from 'payment-collection-service/webhooks';
import work from './work.cjs';

work({ createPaymentsClient, PaymentsError }, { verifyWebhook, WebhookVerificationError });
