import { lisbonText } from '../../src/kernel/lisbon.ts';
import { ask } from './calls.ts';

/** The key of the sandbox's own account; see the service's default account there. */
const BACKOFFICE_KEY = '0000-0000-0000-0001';
const ROWS_MAX = 1000;
const SECOND_MS = 1000;

/** A payment in the bank's list. */
export interface Paid {
  requestId: string;
  orderId: string;
  amountCents: number;
}

/** Reads the bank's list of payments between two instants; splits an answer at the row limit by time. */
export async function readBankRecord(sandboxUrl: string, from: number, to: number): Promise<Paid[]> {
  const answer = await ask(`${sandboxUrl}/v2/payments/read`, {
    boKey: BACKOFFICE_KEY,
    dateStart: lisbonText(from),
    dateEnd: lisbonText(to),
  });
  if (answer?.body.status !== 200) throw new Error(`the bank's record answered ${JSON.stringify(answer)}`);
  const rows = answer.body.payments as { requestId: string; orderId: string; amount: string | number }[];
  if (rows.length < ROWS_MAX) {
    return rows.map(({ requestId, orderId, amount }) => ({
      requestId,
      orderId,
      amountCents: Math.round(Number(amount) * 100),
    }));
  }
  // The bank's list has a resolution of seconds; the two parts must not share one.
  const middle = Math.floor((from + to) / 2 / SECOND_MS) * SECOND_MS;
  if (middle + SECOND_MS > to)
    throw new Error(`${ROWS_MAX} payments within a second: the record cannot be read`);
  return [
    ...(await readBankRecord(sandboxUrl, from, middle)),
    ...(await readBankRecord(sandboxUrl, middle + SECOND_MS, to)),
  ];
}
