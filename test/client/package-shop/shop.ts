import {
  createPaymentsClient,
  type InitInput,
  PaymentsConnectionError,
  PaymentsError,
} from 'payment-collection-client';
import {
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from 'payment-collection-client/webhooks';

const payments = createPaymentsClient({ baseUrl: 'https://pay.example/api/v1', apiKey: 'key' });

export async function pay(order: InitInput, phoneNumber: string): Promise<string> {
  try {
    const { transactionId } = await payments.init(order, { idempotencyKey: order.orderId });
    const { success } = await payments.mbway(
      { transactionId, phoneNumber },
      { signal: AbortSignal.timeout(20_000) },
    );
    const { status, mb } = await payments.status({ transactionId });
    const reference: string | undefined = mb?.reference;
    return success && status === 'pending' ? transactionId : (reference ?? '');
  } catch (error) {
    if (error instanceof PaymentsError && error.code === 'MBWAY_PHONE_REJECTED') return error.fields.join();
    if (error instanceof PaymentsConnectionError) return error.reason;
    throw error;
  }
}

export async function receive(request: Request, secret: string): Promise<number> {
  try {
    return handle(await verifyWebhook(await request.text(), request.headers, secret));
  } catch (error) {
    return error instanceof WebhookVerificationError ? 401 : 500;
  }
}

export const headers = (raw: Record<string, string | string[] | undefined>, body: Uint8Array) =>
  verifyWebhook(body, raw, ['whsec_1', 'whsec_2'], { toleranceSeconds: 60 });

function handle(event: WebhookEvent): number {
  switch (event.event) {
    case 'payment.success':
      return event.data.paidAt.length;
    case 'payment.failed':
    case 'payment.cancelled':
      return event.data.paidAt === null ? 200 : 500;
    case 'payment.refunded':
      return event.data.refundedAt.length;
    case 'webhook.test':
      return event.data.amount;
  }
}

export const cancellable = (signal: AbortSignal) => payments.methods({ signal });
export const proxied = createPaymentsClient({
  baseUrl: 'https://pay.example/api/v1',
  apiKey: 'key',
  fetch: (input, init) => fetch(input, init),
});
