import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { createLink } from '../../../src/checkout/links.ts';
import { cents } from '../../../src/kernel/money.ts';
import { rollKey } from '../../../src/merchants/keys.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { createSession } from '../../checkout/support.ts';
import { openEupago } from '../../payments/acquirers-kit.ts';
import { bankCredentials } from '../../support/bank-credentials.ts';
import { databaseUrl, temporaryFolder } from '../../support/database.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { startService } from '../../support/harness.ts';
import { RawClient } from '../../support/raw-client.ts';
import { auditRows } from '../../support/row-audit.ts';
import { type CallPlan, callOf, callPlans, type World } from './calls.ts';
import { judge } from './oracle.ts';

const PENDING_COUNT = 150;
/** Above the limit of an MB WAY push. */
const ABOVE_MBWAY_EUR = 6000;
const LOG_LINES_SHOWN = 6;

/** The number of calls by the code of their answer. */
export type Tally = Map<string, number>;

/**
 * Sends generated calls to a service and checks each answer and the rows that it changed. The clock does not move, so
 * only calls change rows. A failure has the seed, the path to the smallest failing call and its log lines; the variables
 * `SEED` and `SEED_PATH` replay it.
 */
export async function fuzz(numRuns: number): Promise<Tally> {
  const folder = temporaryFolder();
  const clock = fakeClock(Date.now());
  const service = await startService({
    folder,
    clock,
    env: { SERVICE_POST_RATE_LIMIT: '30', SERVICE_TRUST_PROXY: '1', SERVICE_MBWAY_WINDOW_SECONDS: '240' },
  });
  const world = await createWorld(service, clock);
  const audit = await auditRows(await databaseUrl(folder, onTestFinished));
  const client = new RawClient(Number(new URL(service.url).port));
  const tally: Tally = new Map();
  const { SEED, SEED_PATH } = process.env;
  try {
    await fc.assert(
      fc.asyncProperty(callPlans, async (plan: CallPlan) => {
        const call = callOf(plan, world);
        const { bytes, incomplete } = call;
        if (plan.fault !== null) await service.control('/faults', { mode: plan.fault, times: 1 });
        try {
          const answer = await client.send({ bytes, halfClose: incomplete, toHead: call.method === 'HEAD' });
          const ended = await judge(call, answer, audit);
          tally.set(ended, (tally.get(ended) ?? 0) + 1);
        } catch (error) {
          client.close();
          await audit.changes();
          throw new Error(
            `${error}\n${shown(bytes)}\nlog: ${service.logged().split('\n').slice(-LOG_LINES_SHOWN).join('\n')}`,
            { cause: error },
          );
        }
      }),
      {
        numRuns,
        seed: Number(SEED ?? Date.now() % 2 ** 31),
        ...(SEED_PATH !== undefined && { path: SEED_PATH }),
        includeErrorInReport: true,
      },
    );
  } finally {
    client.close();
    await audit.close();
  }
  return tally;
}

function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1'));
  return text.length > 4000 ? `${text.slice(0, 3000)} … ${text.slice(-500)} (${bytes.length} bytes)` : text;
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Creates merchants with keys in every state and transactions for the calls. */
async function createWorld(service: Service, clock: FakeClock): Promise<World> {
  const { deps } = service.app;
  const [merchant, other, inactive] = [
    await service.merchant(),
    await service.merchant(),
    await service.merchant(),
  ];
  const [revoked, { apiKey }] = [
    merchant.apiKey,
    await rollKey(deps, merchant.merchantId, { graceHours: 0 }),
  ];
  await setMerchant(deps, inactive.merchantId, { active: false });
  const clientOf = { 'x-forwarded-for': '198.19.0.1' };
  const keyed = { authorization: `Bearer ${apiKey}` };
  const own = await Promise.all(
    Array.from({ length: PENDING_COUNT }, async (_, index) => {
      const headers = { ...keyed, 'x-forwarded-for': `198.19.1.${index}` };
      const order = { ...ORDER_LIKE, amount: index % 5 === 0 ? ABOVE_MBWAY_EUR : 5 };
      return (await merchant.post('/payments/init', order, headers)).body.transactionId as string;
    }),
  );
  const foreign = (await other.post('/payments/init', ORDER_LIKE, clientOf)).body.transactionId;
  const failed = own[1] ?? '';
  await merchant.post('/payments/mbway', { transactionId: failed, phoneNumber: '911000002' }, keyed);
  await clock.advanceUntil(
    1000,
    async () =>
      (await merchant.get(`/payments/status?transactionId=${failed}`, keyed)).body.status === 'failed',
    'a push to be rejected',
  );
  const { body: session } = await createSession(service, { apiKey }, {}, clientOf);
  const link = await createLink(deps, {
    merchantId: merchant.merchantId,
    title: 'Bolo',
    amount: null,
    min: cents(100),
    max: null,
    orderId: null,
    uses: null,
    expiresAt: null,
  });
  const { credentials } = await openEupago(service, null);
  const account = await bankCredentials(deps, merchant.merchantId);
  return {
    keys: {
      valid: apiKey,
      other: other.apiKey,
      revoked,
      inactive: inactive.apiKey,
      unknown: `sk_${'x'.repeat(43)}`,
    },
    antiPhishingKey: account.antiPhishingKey,
    webhookKey: credentials.webhookKey,
    transactions: [...own, foreign, 'tx_00000000000000000000000000'],
    sessions: [session.sessionId, 'cs_00000000000000000000000000'],
    pages: [...[session.url, link.url].map((url) => new URL(url).pathname), `/pay/${'A'.repeat(22)}`],
  };
}

const ORDER_LIKE = {
  orderId: 'POOL',
  amount: 5,
  storeUrl: 'https://shop.pt',
  customer: { name: 'Ana Silva', email: 'pool@shop.pt' },
  items: [{ id: '1', name: 'Mug', quantity: 1, priceInCents: 500 }],
};
