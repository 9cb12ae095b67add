import { createPaymentsClient, type ErrorCode } from 'payment-collection-client';
import type { WebhookEvent } from 'payment-collection-client/webhooks';

const payments = createPaymentsClient({ baseUrl: 'https://pay.example/api/v1', apiKey: 'key' });
const order = { orderId: 'ORDER-1', amount: 1, storeUrl: 'https://shop.pt' };

// @ts-expect-error: a server must send the address of the store
payments.init({ orderId: 'ORDER-1', amount: 1 });
// @ts-expect-error: an amount is a number
payments.init({ ...order, amount: '1' });
// @ts-expect-error: EUR alone
payments.init({ ...order, currency: 'USD' });
// @ts-expect-error: the number is missing
payments.mbway({ transactionId: 'tx_1' });
// @ts-expect-error: only init takes a key
payments.multibanco({ transactionId: 'tx_1' }, { idempotencyKey: 'x' });
// @ts-expect-error: there is no such state
export const open = async () => (await payments.status({ transactionId: 'tx_1' })).status === 'open';
// @ts-expect-error: there is no such code
export const code: ErrorCode = 'NO_MONEY';
// @ts-expect-error: null unless paid
export const when = (event: WebhookEvent): string => event.data.paidAt;
