import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { noMetrics } from '../../../src/deps.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createIds, type Id } from '../../../src/kernel/ids.ts';
import { cents } from '../../../src/kernel/money.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { createSecretBox } from '../../../src/kernel/secret-box.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import { appendEvent } from '../../../src/webhooks/append.ts';
import { createDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts';
import { systemNow } from '../system-now.ts';

/**
 * The service's own outbox and dispatcher in a process of their own, without doors: fills the queues of the merchants
 * whose endpoint hangs, then announces one event after another for the healthy one, and says when each was committed.
 */
export interface SenderOrder {
  file: string;
  ca: string;
  /** Where the healthy merchant's deliveries go, and those of the others. */
  healthyUrl: string;
  hangingUrl: string;
  hangingMerchants: number;
  backlogEach: number;
  settleMs: number;
  measureMs: number;
  /** Between two events of the healthy merchant. */
  intervalMs: number;
}

process.once('message', (order: SenderOrder) => void send(order));
process.on('disconnect', () => process.exit());

async function send(order: SenderOrder): Promise<void> {
  const { settings } = readConfig({
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  });
  const checkpointThread = {
    failed(error: Error) {
      throw error;
    },
  };
  const db = await openDatabase(`sqlite:${order.file}`, { checkpointThread });
  const deps = {
    db,
    settings,
    clock: systemClock,
    random: systemRandom,
    ids: createIds(systemClock, systemRandom),
    box: createSecretBox(randomBytes(32), systemRandom),
    log: pino({ level: 'silent' }),
    metrics: noMetrics,
    wakeDispatcher: (merchantId?: Id<'mer'>) => dispatcher.wake(merchantId),
  };
  const dispatcher = createDispatcher(deps, { ca: order.ca });
  const shop = (webhookUrl: string) =>
    createMerchant(deps, { name: 'Bench Shop', domains: ['bench-shop.example'], webhookUrl });
  const announce = (merchantId: Id<'mer'>) =>
    db.unit((tx) =>
      appendEvent(tx, deps, {
        merchantId,
        transactionId: null,
        kind: 'payment.success',
        lanePosition: null,
        data: {
          id: 'tx_bench',
          externalOrderId: 'ORDER-1',
          amount: cents(1999),
          paymentMethod: 'MBWAY',
          status: 'paid',
          paidAt: systemClock.now(),
        },
      }),
    );

  const healthy = (await shop(order.healthyUrl)).merchantId as Id<'mer'>;
  for (let i = 0; i < order.hangingMerchants; i++) {
    const merchantId = (await shop(order.hangingUrl)).merchantId as Id<'mer'>;
    await Promise.all(Array.from({ length: order.backlogEach }, () => announce(merchantId)));
  }
  dispatcher.start();
  const commits: [deliveryId: string, at: number][] = [];
  const beginAt = performance.now() + order.settleMs;
  for (let at = performance.now(); at < beginAt + order.measureMs; at += order.intervalMs) {
    await wait(Math.max(0, at - performance.now()));
    const { deliveryId } = await announce(healthy);
    if (at >= beginAt) commits.push([deliveryId, systemNow()]);
  }
  await wait(order.intervalMs);
  process.send?.(commits);
}
