import { onTestFinished } from 'vitest';
import { type Handler, serve } from '../../scripts/checkout/serve.ts';
import { counterAt } from '../../src/cli/doctor/count.ts';
import { examine } from '../../src/cli/doctor/doctor.ts';
import { Receiver } from '../../src/cli/doctor/receiver.ts';
import { cents } from '../../src/kernel/money.ts';

export interface Patient {
  url: string;
  secret: string;
  paidOrders: () => number | Promise<number>;
}

/** Runs every rule of `webhook doctor` on a receiver. Resolves to the rules that it does not keep, with what was found. */
export async function brokenRules({ url, secret, paidOrders }: Patient): Promise<string[]> {
  const countUrl = await serveHere(async () => new Response(String(await paidOrders())));
  const receiver = new Receiver({
    url,
    secret,
    orderId: 'ORDER-1001',
    amount: cents(1250),
    counter: counterAt(countUrl, { riseMs: 2000, settleMs: 20 }),
    retryDelaysMs: [5, 10, 20],
    quickMs: 5000,
  });
  const rules = await examine(receiver, { hasSecret: true, report() {} });
  return rules
    .filter(({ state }) => state !== 'pass' && state !== 'advice')
    .map(({ rule, found }) => `${rule}: ${found}`);
}

/** Serves a request handler until the test is over. Resolves to its address. */
export async function serveHere(handler: Handler): Promise<string> {
  const { port, close } = await serve(handler, 0);
  onTestFinished(close);
  return `http://127.0.0.1:${port}/`;
}
