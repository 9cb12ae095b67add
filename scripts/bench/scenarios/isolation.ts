import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { confirmations, openPaymentSite, type PaymentSite } from '../confirmation.ts';
import { execute } from '../database.ts';
import { dueRows } from '../delivery/due-rows.ts';
import type { Options } from '../options.ts';
import { createShops, launch } from '../service.ts';
import { comparedP99, inTurn, type Row } from '../statistics.ts';

const HANGING_MERCHANTS = 50;
const LOADED = `with ${HANGING_MERCHANTS} hanging endpoints`;
const BACKLOG_EACH = 200;
const PER_SECOND = 50;
/** 17 s cover two timeouts of an attempt, so that in each round attempts of the hanging endpoints end and start. */
const COUNT = 17 * PER_SECOND;
const SETTLE_MS = 2000;

/**
 * From the bank's confirmation to the first byte at a healthy merchant: alone, and with 50 merchants whose endpoints accept deliveries
 * and never answer.
 */
export async function isolation(folder: string, { scaled, rounds }: Options): Promise<Row[]> {
  const alone = await openPaymentSite(join(folder, 'alone'));
  const loaded = await openPaymentSite(join(folder, 'loaded'));
  await addHanging(loaded);
  const measure = async (site: PaymentSite) => {
    const running = await launch(site.installation);
    await wait(scaled(SETTLE_MS));
    const latencies = await confirmations(site, running, scaled(COUNT), PER_SECOND);
    await running.stop();
    return latencies;
  };
  const latencies = await inTurn('isolation', rounds, {
    [`a healthy merchant, ${LOADED}`]: () => measure(loaded),
    'a healthy merchant, alone': () => measure(alone),
  });
  for (const site of [alone, loaded]) await site.stop();
  return comparedP99(`p99 of a healthy merchant, ${LOADED} / alone`, latencies, {
    better: 'lower',
    floor: 1.2,
    target: 1.1,
  });
}

/** Adds merchants whose outboxes are full. */
async function addHanging({ installation, sink }: PaymentSite): Promise<void> {
  const domains = Array.from({ length: HANGING_MERCHANTS }, (_, i) => `hanging-${i}.example`);
  const merchants = await createShops(installation, domains, sink.hangingUrl);
  const rows = merchants.map(({ merchantId }, i) => dueRows(merchantId, i * BACKLOG_EACH, BACKLOG_EACH));
  await execute(installation.url, rows.flat());
}
