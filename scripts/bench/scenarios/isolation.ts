import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { confirmations, openPaymentSite, type PaymentSite } from '../confirmation.ts';
import { dueRows } from '../delivery/due-rows.ts';
import { createMerchants, launch } from '../service.ts';
import { inTurn, latencyFigures, p99Ratio } from '../statistics.ts';
import type { Scenario } from '../types.ts';

const NAME = 'isolation';
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
export const isolation: Scenario = {
  name: NAME,
  async run(folder, { scaled, rounds }) {
    const alone = await openSite(join(folder, 'alone'), 0);
    const loaded = await openSite(join(folder, 'loaded'), HANGING_MERCHANTS);
    const measure = async (site: PaymentSite) => {
      const running = await launch(site.installation);
      try {
        await wait(scaled(SETTLE_MS));
        return await confirmations({ ...site, running }, scaled(COUNT), PER_SECOND);
      } finally {
        await running.stop();
      }
    };
    try {
      const sides = [alone, loaded].map((site) => () => measure(site));
      const [ofAlone = [], ofLoaded = []] = await inTurn(NAME, rounds, sides);
      return {
        ratios: [
          {
            name: `p99 of a healthy merchant, ${LOADED} / alone`,
            ...p99Ratio(ofLoaded, ofAlone),
            threshold: { better: 'lower', floor: 1.2, target: 1.1 },
          },
        ],
        figures: latencyFigures({
          'a healthy merchant, alone': ofAlone,
          [`a healthy merchant, ${LOADED}`]: ofLoaded,
        }),
      };
    } finally {
      for (const site of [alone, loaded]) await site.stop();
    }
  },
};

/** Creates an installation with one healthy merchant and `hanging` others, whose outboxes are full. */
async function openSite(folder: string, hanging: number): Promise<PaymentSite> {
  const site = await openPaymentSite(folder);
  if (hanging > 0) await addHanging(site, hanging);
  return site;
}

async function addHanging({ installation, sink }: PaymentSite, count: number): Promise<void> {
  const merchants = await createMerchants(
    installation,
    Array.from({ length: count }, (_, i) => ({
      name: `Hanging ${i}`,
      domains: [`hanging-${i}.example`],
      webhookUrl: sink.hangingUrl,
    })),
  );
  const handle = new Sqlite(installation.file);
  for (const [i, { merchantId }] of merchants.entries()) {
    const rows = { merchantId, after: i * BACKLOG_EACH, count: BACKLOG_EACH };
    handle.exec(dueRows(rows).join(';\n'));
  }
  handle.close();
}
