import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RefundPort, SentRefund } from '../settlement-port.ts';

const SENT_READ_MAX = 1000;
/** How long a process must be missing to count as dead. */
export const GONE_MS = 3000;
/** How long after the bank's timeout the refund of an invisible process counts as lost. */
const INVISIBLE_SLACK_MS = 60_000;

/** Creates the detector that marks refunds as unknown when their process died during the call. */
export function createLostRefunds({
  db,
  clock,
  settings,
  refunds,
}: Pick<Deps, 'db' | 'clock' | 'settings'> & { refunds: RefundPort }) {
  /** Since when processes have been missing from the cluster bus; null before the first check after a start. */
  let missingSince: ReadonlyMap<string, number> | null = null;

  async function findMissing(sent: readonly SentRefund[]): Promise<Map<string, number>> {
    const ids = [...new Set(sent.flatMap(({ instance_id }) => instance_id ?? []))];
    if (ids.length === 0 || db.cluster === null) return new Map();
    const running = await db.cluster.running();
    const now = clock.now();
    const missing = ids.filter((id) => !running.has(id));
    return new Map(missing.map((id) => [id, missingSince?.get(id) ?? now]));
  }

  function isLost(
    { instance_id: instanceId, sent_at: sentAt, created_at: createdAt }: SentRefund,
    ownId: string | null,
    missing: ReadonlyMap<string, number>,
  ): boolean {
    const now = clock.now();
    // One process serves a SQLite database, and this process is not running the call.
    if (db.cluster === null) return true;
    if (instanceId === null)
      return now >= (sentAt ?? createdAt) + settings.bankTimeoutMs + INVISIBLE_SLACK_MS;
    if (instanceId === ownId) return true;
    const since = missing.get(instanceId);
    // A process that lost its connection is missing until it has reconnected.
    return since !== undefined && (missingSince === null || now - since >= GONE_MS);
  }

  return {
    /** Gives up the lost refunds. This process, `ownId` on the cluster bus, is sending the `active` refunds. */
    async giveUp(active: ReadonlySet<Id<'ref'>>, ownId: string | null): Promise<void> {
      const sent = (await refunds.sentRefunds(SENT_READ_MAX)).filter(({ id }) => !active.has(id));
      const missing = await findMissing(sent);
      for (const refund of sent) if (isLost(refund, ownId, missing)) await refunds.giveUp(refund.id);
      missingSince = missing;
    },
    isAnyMissing: () => missingSince !== null && missingSince.size > 0,
  };
}
