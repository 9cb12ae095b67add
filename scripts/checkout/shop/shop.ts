import { readdirSync, readFileSync } from 'node:fs';
import { PaymentsError } from '../../../src/client/client.ts';
import { type Order, Orders } from './orders.ts';
import {
  askNowAndThen,
  type PaymentOptions,
  PRODUCT,
  payByMbway,
  payByMultibanco,
  payOnHostedPage,
} from './payments.ts';
import { createWebhookReceiver } from './webhook.ts';

export interface ShopOptions extends PaymentOptions {
  webhookSecret: string;
  /** The sandbox's phone and ATM, linked from the page. */
  sandboxUrl: string;
}

const QUANTITY_MAX = 9;
const PAGE = new URL('page/', import.meta.url);
const FILES = readdirSync(PAGE);
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Creates the shop's request handler. It uses only the service's client package. */
export function createShop(options: ShopOptions): (request: Request) => Promise<Response> {
  const orders = new Orders();
  const receiveWebhook = createWebhookReceiver(orders, options.webhookSecret);

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === '/webhook') return receiveWebhook(request);
    if (request.method === 'GET' && !pathname.startsWith('/orders/')) {
      return pageFile(pathname, options.sandboxUrl);
    }
    try {
      return await answer(request, pathname);
    } catch (error) {
      return failure(error);
    }
  };

  async function answer(request: Request, pathname: string): Promise<Response> {
    if (request.method === 'POST' && pathname === '/orders') return placeOrder(await bodyOf(request));
    const [, , id = '', step] = pathname.split('/');
    const order = orders.find(id);
    if (order === undefined) return Response.json({ code: 'ORDER_NOT_FOUND' }, { status: 404 });
    if (request.method === 'POST' && step === 'mbway') {
      await payByMbway(options, order, String((await bodyOf(request)).phoneNumber));
    } else if (request.method === 'POST' && step === 'multibanco') {
      await bodyOf(request);
      await payByMultibanco(options, order);
    } else if (request.method === 'POST' && step === 'page') {
      await bodyOf(request);
      return Response.json({
        url: await payOnHostedPage(options, order, `http://${request.headers.get('host')}`),
      });
    } else {
      // The next poll tries again.
      await askNowAndThen(options, order).catch(() => {});
    }
    return Response.json(viewOf(order));
  }

  function placeOrder({ quantity, name, email }: Record<string, unknown>): Response {
    const count = Number(quantity);
    if (!Number.isInteger(count) || count < 1 || count > QUANTITY_MAX) {
      return Response.json({ code: 'INVALID_FIELDS', fields: ['quantity'] }, { status: 400 });
    }
    // The shop sets the price; the page's price is ignored.
    const amount = (count * PRODUCT.priceInCents) / 100;
    const customer = { name: String(name), email: String(email) };
    return Response.json(viewOf(orders.add({ quantity: count, amount, customer })));
  }
}

/** Returns a file of the page. All files come from this host. */
function pageFile(pathname: string, sandboxUrl: string): Response {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  if (!FILES.includes(name)) return new Response('not found', { status: 404 });
  const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
  const text = readFileSync(new URL(name, PAGE), 'utf8');
  return new Response(text.replaceAll('{{sandboxUrl}}', sandboxUrl), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/** Requires JSON, which a form on another site cannot send. */
async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  if (!request.headers.get('content-type')?.startsWith('application/json')) return {};
  const body: unknown = await request.json().catch(() => null);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Returns what the order page shows. Times are durations, because the two clocks may differ. */
function viewOf(order: Order): object {
  const { id, number, quantity, amount, customer, push, reference, paid, webhooks } = order;
  return {
    id,
    number,
    quantity,
    amount,
    name: customer.name,
    push: push && {
      phoneNumber: push.phoneNumber,
      leftMs: Math.max(0, push.until - Date.now()),
      ended: push.ended,
    },
    reference,
    paid,
    webhooks,
  };
}

/** Returns an error code that the page can explain. */
function failure(error: unknown): Response {
  if (!(error instanceof PaymentsError) || error.code === null)
    return Response.json({ code: 'UNREACHABLE' }, { status: 502 });
  return Response.json({ code: error.code, fields: error.fields }, { status: error.status });
}
