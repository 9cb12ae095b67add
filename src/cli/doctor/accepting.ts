import type { EventKind } from '../../db/tables/tables.ts';
import type { PostAnswer } from '../post.ts';
import { newDeliveryId, rewritten } from './messages.ts';
import { isAccepted, type Patient } from './patient.ts';
import { advice, fail, pass, type Rule, saidBy, skipped, type Verdict } from './verdict.ts';

const ANSWER_2XX =
  'answer 200 as soon as the signature is verified, whatever the event says, and do the work afterwards';
const BOOK_BY_BOTH = 'remember data.id together with event, and book what that pair says once';
const NO_COUNT = 'whether it was booked cannot be seen from outside; give --count-url';
const NO_COUNT_ONCE = 'whether it was booked once cannot be seen from outside; give --count-url';
const LARGE_CHARACTERS = 64 * 1024;
const EARLIER_MS = 60_000;

/** The first rule: without it there is nothing to judge. */
export const ACCEPTS: Rule = {
  name: 'accepts',
  title: 'accepts a genuine payment.success',
  needsSecret: true,
  async judge(patient) {
    const event = patient.event('payment.success');
    const deliveryId = newDeliveryId(patient.random);
    const { result, rise } = await patient.counted(1, () =>
      patient.deliver(() => patient.signed(event, { deliveryId })),
    );
    return judgeFirst(result, rise);
  },
};

function judgeFirst(answer: PostAnswer & { attempts: number }, rise: number | null): Verdict {
  const found = `answers ${saidBy(answer)}${answer.attempts > 1 ? ` at attempt ${answer.attempts}` : ''}`;
  if (!isAccepted(answer)) return fail(found, mendFor(answer.status));
  if (rise === 1) return pass(`${found} and counts one more paid order`);
  if (rise === null) return pass(found, NO_COUNT);
  return fail(
    `${found}, and the paid orders went up by ${rise}, not by 1`,
    '--count-url must say how many orders are paid; if it does, see why this event was not booked (an unknown orderId? give one with --order-id)',
  );
}

function mendFor(status: number | null): string {
  if (status === null) return 'see that it runs, at this very address, and answers within 8 s';
  if (status === 401 || status === 403 || status === 400) {
    return 'see that --secret is the secret which the receiver has, and that it verifies the bytes as they arrived, before any parser (a body parsed and written again has other bytes)';
  }
  if (status >= 300 && status < 400) return 'redirects are not followed: give the address that it leads to';
  if (status === 404 || status === 405) return 'see that the path is right and that it takes POST';
  if (status >= 500) return 'it fails within: see its log';
  return ANSWER_2XX;
}

export const ACCEPTING: readonly Rule[] = [
  {
    name: 'test-event',
    title: 'accepts webhook.test',
    needsSecret: true,
    judge: (patient) => expectAccepted(patient, 'webhook.test', 0, ANSWER_2XX),
  },
  {
    name: 'unknown-kind',
    title: 'accepts a kind of event that it does not know',
    needsSecret: true,
    async judge(patient) {
      const event = rewritten(patient.event('webhook.test', patient.payment()), (value) =>
        JSON.stringify({ ...value, event: 'payment.examined' }),
      );
      const post = patient.signed(event);
      const answer = await patient.send({
        ...post,
        headers: { ...post.headers, 'X-Service-Event': 'payment.examined' },
      });
      return isAccepted(answer)
        ? pass(`answers ${saidBy(answer)}`)
        : fail(
            `answers ${saidBy(answer)}: a kind that is added later would be sent 4 times and end undelivered`,
            'answer 200 to what you do not act on',
          );
    },
  },
  {
    name: 'large-body',
    title: 'accepts a large body with members that it does not know',
    needsSecret: true,
    async judge(patient) {
      const event = rewritten(patient.event('payment.success'), (value) =>
        JSON.stringify({ ...value, later: 'é'.repeat(LARGE_CHARACTERS / 2) }),
      );
      const answer = await patient.send(patient.signed(event));
      return isAccepted(answer)
        ? pass(`answers ${saidBy(answer)} to ${Math.round(Buffer.byteLength(event.body) / 1024)} KiB`)
        : fail(
            `answers ${saidBy(answer)}`,
            'take bodies of 256 KiB, and ignore members that you do not know',
          );
    },
  },
  {
    name: 'duplicate',
    title: 'answers 2xx to what it has had before, and books it once',
    needsSecret: true,
    async judge(patient) {
      const event = patient.event('payment.success');
      const deliveryId = newDeliveryId(patient.random);
      const { result: answers, rise } = await patient.counted(1, async () => [
        await patient.send(patient.signed(event, { deliveryId })),
        // The same delivery once more, then the event in another one, as a resend by hand is.
        await patient.send(patient.signed(event, { deliveryId })),
        await patient.send(patient.signed(event)),
      ]);
      const found = `answers ${answers.map(({ status }) => status ?? 'nothing').join(', ')}`;
      if (!answers.every(isAccepted)) {
        return fail(
          `${found}: the service takes it for a failure and sends it again, up to 4 times`,
          'answer 200 to a duplicate as to the first',
        );
      }
      if (rise === null) return pass(found, NO_COUNT_ONCE);
      return rise === 1
        ? pass(`${found} and counts one more paid order`)
        : fail(`${found}, and the paid orders went up by ${rise}, not by 1`, BOOK_BY_BOTH);
    },
  },
  {
    name: 'success-after-cancel',
    title: 'books a payment that comes after its cancellation',
    needsSecret: true,
    async judge(patient) {
      const id = patient.payment();
      const cancelled = await patient.send(
        patient.signed(patient.event('payment.cancelled', id, Date.now() - EARLIER_MS)),
      );
      const { result: paid, rise } = await patient.counted(1, () =>
        patient.send(patient.signed(patient.event('payment.success', id))),
      );
      const found = `answers ${cancelled.status ?? 'nothing'} to the cancellation and ${saidBy(paid)} to the payment after it`;
      if (!isAccepted(cancelled)) return fail(found, ANSWER_2XX);
      if (isAccepted(paid) && rise === null) return pass(found, NO_COUNT);
      if (isAccepted(paid) && rise === 1) return pass(`${found}, and counts one more paid order`);
      return fail(
        rise === null ? found : `${found}, and the paid orders went up by ${rise}, not by 1`,
        `the money is real: ${BOOK_BY_BOTH}; by data.id alone a late payment is lost`,
      );
    },
  },
  {
    name: 'reordered',
    title: 'keeps an order paid when an older cancellation arrives after its payment',
    needsSecret: true,
    async judge(patient) {
      const id = patient.payment();
      const paid = await patient.send(patient.signed(patient.event('payment.success', id)));
      const { result: late, rise } = await patient.counted(0, () =>
        patient.send(patient.signed(patient.event('payment.cancelled', id, Date.now() - EARLIER_MS))),
      );
      const found = `answers ${paid.status ?? 'nothing'} to the payment and ${saidBy(late)} to its older cancellation`;
      if (!isAccepted(paid) || !isAccepted(late)) return fail(found, ANSWER_2XX);
      if (rise === null)
        return pass(found, 'whether the order stays paid cannot be seen from outside; give --count-url');
      return rise === 0
        ? pass(`${found}; the paid orders stay`)
        : fail(
            `${found}, and the paid orders changed by ${rise}`,
            'never let failed or cancelled undo what is paid',
          );
    },
  },
  {
    name: 'retry',
    title: 'takes the repetition of a delivery whose answer was lost, and books it once',
    needsSecret: true,
    async judge(patient) {
      const event = patient.event('payment.success');
      const deliveryId = newDeliveryId(patient.random);
      const { result, rise } = await patient.counted(1, async () => {
        await patient.sendUnheard(patient.signed(event, { deliveryId }));
        return await patient.deliver(() => patient.signed(event, { deliveryId }));
      });
      return judgeRepeat(result, rise);
    },
  },
];

function judgeRepeat(answer: PostAnswer, rise: number | null): Verdict {
  const found = `answers ${saidBy(answer)} to the repetition`;
  if (!isAccepted(answer)) {
    return fail(
      found,
      'answer 200 to what you have had before: the service could not hear your first answer',
    );
  }
  if (rise === null) return pass(found, NO_COUNT_ONCE);
  return rise === 1
    ? pass(`${found} and counts one more paid order`)
    : fail(`${found}, and the paid orders went up by ${rise}, not by 1`, BOOK_BY_BOTH);
}

async function expectAccepted(
  patient: Patient,
  kind: EventKind,
  wanted: number,
  mend: string,
): Promise<Verdict> {
  const { result, rise } = await patient.counted(wanted, () =>
    patient.send(patient.signed(patient.event(kind))),
  );
  return judgeOne(result, rise, wanted, mend);
}

function judgeOne(answer: PostAnswer, rise: number | null, wanted: number, mend: string): Verdict {
  const found = `answers ${saidBy(answer)}`;
  if (!isAccepted(answer)) return fail(found, mend);
  if (rise === null || rise === wanted) return pass(found);
  return fail(
    `${found}, and the paid orders went up by ${rise}`,
    'a test event is no payment: book nothing for it',
  );
}

/** After all others: what they measured. */
export const ANSWERS_QUICKLY: Rule = {
  name: 'quick',
  title: 'answers quickly',
  needsSecret: true,
  async judge(patient) {
    const times = patient.acceptedMs.toSorted((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    const slowest = times.at(-1);
    if (median === undefined || slowest === undefined) return skipped('nothing was accepted');
    const found = `${times.length} answers: half within ${median} ms, the slowest ${slowest} ms`;
    const { quickMs } = patient.limits;
    const mend = `answer within ${quickMs / 1000} s: put the event into a queue of your own, answer 200, work afterwards; after 8 s the service takes it for a failure`;
    if (median > quickMs) return fail(found, mend);
    return slowest > quickMs ? advice(found, mend) : pass(found);
  },
};
