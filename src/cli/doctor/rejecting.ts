import { isAccepted, type Post } from '../post.ts';
import { type Receiver, rewritten, without } from './receiver.ts';
import { advice, answerText, fail, pass, type Rule, statuses, type Verdict } from './verdict.ts';

const SIGNATURES = ['X-Service-Signature', 'webhook-signature'];
const VERIFY = 'verify the signature first and answer 401 when it is wrong';
const RAW_BODY =
  'verify the raw request body and parse it afterwards; re-serialised JSON has different bytes';
const STALE_SECONDS = 600;

/** How a receiver must verify signatures. */
export const REJECTING: readonly Rule[] = [
  {
    name: 'missing-signature',
    title: 'rejects a request without signature',
    isSecretFree: true,
    judge: (receiver) => expectRejected(receiver, [without(receiver.signedSuccess(), ...SIGNATURES)], VERIFY),
  },
  {
    name: 'bad-signature',
    title: 'rejects a wrong signature',
    isSecretFree: true,
    judge(receiver) {
      const genuine = receiver.signedSuccess();
      const posts = [
        receiver.signedSuccess({ secrets: [receiver.foreignSecret] }),
        { ...genuine, body: genuine.body.replace('"amount":', '"amount":9') },
        // Some comparisons fail on a signature of another length.
        {
          ...genuine,
          headers: { ...genuine.headers, 'X-Service-Signature': 'sha256=', 'webhook-signature': 'v1,' },
        },
      ];
      return expectRejected(
        receiver,
        posts,
        `${VERIFY}; compare in constant time after comparing the lengths`,
      );
    },
  },
  {
    name: 'raw-body',
    title: 'verifies the raw body',
    async judge(receiver) {
      const genuine = await receiver.send(
        receiver.signed(rewritten(receiver.event('payment.success'), indented)),
      );
      if (!isAccepted(genuine)) {
        return fail(
          `answers ${answerText(genuine)} to a genuine body with other spaces and escapes`,
          RAW_BODY,
        );
      }
      const post = receiver.signedSuccess();
      const altered = await receiver.send({ ...post, body: indented(JSON.parse(post.body)) });
      if (isAccepted(altered)) {
        return fail(`answers ${answerText(altered)} to a body that was rewritten after signing`, RAW_BODY);
      }
      return pass(
        `answers ${statuses([genuine])} to genuine bytes, ${statuses([altered])} to rewritten bytes`,
      );
    },
  },
  {
    name: 'stale-timestamp',
    title: 'rejects an old webhook-timestamp, if it reads the timestamp',
    async judge(receiver) {
      const sendAged = (agedSeconds: number) =>
        receiver.send(without(receiver.signedSuccess({ agedSeconds }), 'X-Service-Signature'));
      if (!isAccepted(await sendAged(0))) {
        return pass(
          'reads X-Service-Signature, which has no timestamp; deduplication protects it from replays',
        );
      }
      const stale = await sendAged(STALE_SECONDS);
      const found = `answers ${answerText(stale)} to a webhook-timestamp of ${STALE_SECONDS / 60} minutes ago`;
      return isAccepted(stale)
        ? fail(found, 'reject a webhook-timestamp that differs from your clock by more than 5 minutes')
        : pass(found);
    },
  },
  {
    name: 'rotated-secret',
    title: 'keeps working during a secret rotation',
    async judge(receiver) {
      const { foreignSecret, options } = receiver;
      const { secret } = options;
      const before = await receiver.send(receiver.signedSuccess({ secrets: [secret, foreignSecret] }));
      if (!isAccepted(before)) {
        return fail(
          `answers ${answerText(before)} with the old secret while the service signs with both`,
          'webhook-signature can contain several signatures separated by spaces; accept when one of them matches',
        );
      }
      const after = await receiver.send(receiver.signedSuccess({ secrets: [foreignSecret, secret] }));
      if (isAccepted(after)) {
        return pass(`answers ${before.status} with the old secret and ${after.status} with the new one`);
      }
      return advice(
        `answers ${before.status} with the old secret, but ${answerText(after)} with the new one before the rotation ends`,
        'accept both secrets during a rotation or read webhook-signature; otherwise install the new secret only when the rotation ends (after 24 h, or with "webhook rotate-finish")',
      );
    },
  },
];

async function expectRejected(receiver: Receiver, posts: readonly Post[], fix: string): Promise<Verdict> {
  const { result: answers, rise } = await receiver.counted(0, async () => {
    const all = [];
    for (const post of posts) all.push(await receiver.send(post));
    return all;
  });
  const accepted = answers.find(isAccepted);
  const booked = rise === null || rise === 0 ? '' : ', and records it as paid';
  if (accepted !== undefined) return fail(`answers ${answerText(accepted)}${booked}`, fix);
  const found = `answers ${statuses(answers)}`;
  if (booked !== '') return fail(found + booked, fix);
  const isFailing = answers.some(({ status }) => status === null || status >= 500);
  return isFailing
    ? advice(found, 'answer 401 instead of failing; see the log of the receiver')
    : pass(found);
}

/** Equivalent JSON with different bytes: indented, and with escapes for characters beyond ASCII. */
function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
