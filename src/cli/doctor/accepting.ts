import { ATTEMPT_TIMEOUT_MS } from '../../webhooks/delivery/schedule.ts';
import { isAccepted } from '../post.ts';
import { rewritten } from './receiver.ts';
import {
  ANSWER_2XX,
  advice,
  answerText,
  expectAccepted,
  fail,
  pass,
  type Rule,
  skipped,
  type Verdict,
} from './verdict.ts';

const ANSWER_DUPLICATE = 'answer 200 to a duplicate, as to the first delivery';
const DEDUPLICATE = 'deduplicate on data.id together with event';
const UNSEEN = 'whether the order was recorded as paid; use --count-url';
const LARGE_CHARACTERS = 64 * 1024;
const EARLIER_MS = 60_000;
const TIMEOUT_SECONDS = ATTEMPT_TIMEOUT_MS / 1000;

/** The first rule. The other rules are meaningless for a receiver that breaks it. */
export const ACCEPTS: Rule = {
  name: 'accepts',
  title: 'accepts a genuine payment.success',
  async judge(receiver) {
    const event = receiver.event('payment.success');
    const deliveryId = receiver.deliveryId();
    const { result: answer, rise } = await receiver.counted(1, () =>
      receiver.deliver(() => receiver.signed(event, { deliveryId })),
    );
    const attempt = answer.attempts > 1 ? ` at attempt ${answer.attempts}` : '';
    const found = `answers ${answerText(answer)}${attempt}`;
    if (!isAccepted(answer)) return fail(found, fixFor(answer.status));
    if (rise === null) return pass(found);
    if (rise === 1) return pass(`${found}; paid orders changed by 1`);
    return fail(
      `${found}; paid orders changed by ${rise}, expected 1`,
      'check that --count-url returns the number of paid orders and that the receiver knows the order; name an order that it knows with --order-id',
    );
  },
};

function fixFor(status: number | null): string {
  if (status === null)
    return `check that the receiver runs at this address and answers within ${TIMEOUT_SECONDS} s`;
  if (status === 401 || status === 403 || status === 400) {
    return "check that --secret is the receiver's secret and that it verifies the raw body, before any parser; re-serialised JSON has different bytes";
  }
  if (status >= 300 && status < 400)
    return 'redirects are not followed; use the address that it redirects to';
  if (status === 404 || status === 405) return 'check the path, and that it accepts POST';
  if (status >= 500) return "the receiver fails; see the receiver's log";
  return ANSWER_2XX;
}

/** The deliveries that a receiver must accept and process exactly once. */
export const ACCEPTING: readonly Rule[] = [
  {
    name: 'test-event',
    title: 'accepts webhook.test',
    judge: (receiver) =>
      expectAccepted(receiver, {
        send: async () => [await receiver.send(receiver.signed(receiver.event('webhook.test')))],
        paid: 0,
        countFix: 'do not book test events',
      }),
  },
  {
    name: 'unknown-kind',
    title: 'accepts an unknown event kind',
    async judge(receiver) {
      const event = rewritten(receiver.event('webhook.test', receiver.payment()), (value) =>
        JSON.stringify({ ...value, event: 'payment.examined' }),
      );
      const post = receiver.signed(event);
      const headers = { ...post.headers, 'X-Service-Event': 'payment.examined' };
      return judgeOne(
        await receiver.send({ ...post, headers }),
        'answer 200 to events that you do not use; otherwise a new kind is sent 4 times and ends undelivered',
      );
    },
  },
  {
    name: 'large-body',
    title: 'accepts a large body with unknown members',
    async judge(receiver) {
      const event = rewritten(receiver.event('payment.success'), (value) =>
        JSON.stringify({ ...value, later: 'é'.repeat(LARGE_CHARACTERS / 2) }),
      );
      return judgeOne(
        await receiver.send(receiver.signed(event)),
        'accept bodies of up to 256 KiB and ignore unknown members',
      );
    },
  },
  {
    name: 'duplicate',
    title: 'answers 2xx to a duplicate and records it once',
    judge(receiver) {
      const event = receiver.event('payment.success');
      const deliveryId = receiver.deliveryId();
      return expectAccepted(receiver, {
        send: async () => [
          await receiver.send(receiver.signed(event, { deliveryId })),
          // A repeated attempt, then a resend, which has a new delivery id.
          await receiver.send(receiver.signed(event, { deliveryId })),
          await receiver.send(receiver.signed(event)),
        ],
        paid: 1,
        acceptFix: ANSWER_DUPLICATE,
        countFix: DEDUPLICATE,
        unseen: UNSEEN,
      });
    },
  },
  {
    name: 'success-after-cancel',
    title: 'records a payment that arrives after its cancellation',
    judge(receiver) {
      const id = receiver.payment();
      const earlier = Date.now() - EARLIER_MS;
      return expectAccepted(receiver, {
        send: async () => [
          await receiver.send(receiver.signed(receiver.event('payment.cancelled', id, earlier))),
          await receiver.send(receiver.signed(receiver.event('payment.success', id))),
        ],
        paid: 1,
        countFix: `${DEDUPLICATE}; with data.id alone a late payment is lost`,
        unseen: UNSEEN,
      });
    },
  },
  {
    name: 'reordered',
    title: 'keeps an order paid when an older cancellation arrives after its payment',
    judge(receiver) {
      const id = receiver.payment();
      const earlier = Date.now() - EARLIER_MS;
      return expectAccepted(receiver, {
        send: async () => [
          await receiver.send(receiver.signed(receiver.event('payment.success', id))),
          await receiver.send(receiver.signed(receiver.event('payment.cancelled', id, earlier))),
        ],
        paid: 1,
        countFix: 'never let payment.failed or payment.cancelled undo a paid order',
        unseen: 'whether the order stays paid; use --count-url',
      });
    },
  },
  {
    name: 'retry',
    title: 'accepts the retry of a delivery whose response was lost, and records it once',
    judge(receiver) {
      const event = receiver.event('payment.success');
      const deliveryId = receiver.deliveryId();
      return expectAccepted(receiver, {
        async send() {
          await receiver.sendUnheard(receiver.signed(event, { deliveryId }));
          return [await receiver.deliver(() => receiver.signed(event, { deliveryId }))];
        },
        paid: 1,
        acceptFix: ANSWER_DUPLICATE,
        countFix: DEDUPLICATE,
        unseen: UNSEEN,
      });
    },
  },
];

function judgeOne(answer: Parameters<typeof answerText>[0], fix: string): Verdict {
  const found = `answers ${answerText(answer)}`;
  return isAccepted(answer) ? pass(found) : fail(found, fix);
}

/** The last rule, which uses the times of all others. */
export const ANSWERS_QUICKLY: Rule = {
  name: 'quick',
  title: 'answers quickly',
  async judge({ acceptedMs, options: { quickMs } }) {
    const times = acceptedMs.toSorted((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    const slowest = times.at(-1);
    if (median === undefined || slowest === undefined) return skipped('no delivery was accepted');
    const found = `median of ${times.length} responses ${median} ms, slowest ${slowest} ms`;
    const fix = `answer within ${quickMs / 1000} s: put the event into a queue, answer 200 and process it afterwards; a delivery fails after ${TIMEOUT_SECONDS} s`;
    if (median > quickMs) return fail(found, fix);
    return slowest > quickMs ? advice(found, fix) : pass(found);
  },
};
