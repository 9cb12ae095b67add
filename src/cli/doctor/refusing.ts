import type { Post, PostAnswer } from '../post.ts';
import { indented, rewritten, without } from './messages.ts';
import { isAccepted, type Patient } from './patient.ts';
import { advice, fail, pass, type Rule, saidBy, type Verdict } from './verdict.ts';

const SIGNATURES = ['X-Service-Signature', 'webhook-signature'];
const VERIFY = 'verify the signature before anything else and answer 401 when it does not fit';
const STALE_SECONDS = 600;

/** What must not be believed, and what must be although it looks otherwise. */
export const REFUSING: readonly Rule[] = [
  {
    name: 'missing-signature',
    title: 'refuses what is not signed',
    needsSecret: false,
    judge: (patient) =>
      expectRefused(
        patient,
        [without(patient.signed(patient.event('payment.success')), ...SIGNATURES)],
        VERIFY,
      ),
  },
  {
    name: 'bad-signature',
    title: 'refuses a signature that does not fit',
    needsSecret: false,
    async judge(patient) {
      const genuine = patient.signed(patient.event('payment.success'));
      return await expectRefused(
        patient,
        [
          patient.signed(patient.event('payment.success'), { current: patient.foreignSecret }),
          { ...genuine, body: genuine.body.replace('"amount":', '"amount":9') },
          // Of another length, which some comparisons do not survive.
          withHeaders(genuine, { 'X-Service-Signature': 'sha256=', 'webhook-signature': 'v1,' }),
        ],
        `${VERIFY}; compare in constant time after comparing the lengths`,
      );
    },
  },
  {
    name: 'raw-body',
    title: 'verifies the bytes as they arrived',
    needsSecret: true,
    async judge(patient) {
      const event = rewritten(patient.event('payment.success'), indented);
      const genuine = await patient.send(patient.signed(event));
      const post = patient.signed(patient.event('payment.success'));
      const altered = await patient.send({ ...post, body: indented(JSON.parse(post.body)) });
      const mend =
        'hand the raw body to the verification, and parse it afterwards: JSON that is parsed and written again has other bytes';
      if (!isAccepted(genuine)) {
        return fail(
          `answers ${saidBy(genuine)} to a genuine body that is written with other spaces and escapes`,
          mend,
        );
      }
      return isAccepted(altered)
        ? fail(`answers ${saidBy(altered)} to a body that was rewritten after it was signed`, mend)
        : pass(
            `answers ${genuine.status} to genuine bytes, ${altered.status ?? 'nothing'} to rewritten ones`,
          );
    },
  },
  {
    name: 'stale-timestamp',
    title: 'refuses what was signed long ago, where it reads the time',
    needsSecret: true,
    async judge(patient) {
      const fresh = await patient.send(
        without(patient.signed(patient.event('payment.success')), 'X-Service-Signature'),
      );
      if (!isAccepted(fresh)) {
        return pass(
          'it reads X-Service-Signature, which carries no time: what protects it is that it books each event once',
        );
      }
      const stale = await patient.send(
        without(
          patient.signed(patient.event('payment.success'), { agedSeconds: STALE_SECONDS }),
          'X-Service-Signature',
        ),
      );
      return isAccepted(stale)
        ? fail(
            `answers ${saidBy(stale)} to a webhook-timestamp of ${STALE_SECONDS / 60} minutes ago`,
            'refuse a webhook-timestamp that is more than 5 minutes from your clock',
          )
        : pass(
            `answers ${stale.status ?? 'nothing'} to a webhook-timestamp of ${STALE_SECONDS / 60} minutes ago`,
          );
    },
  },
  {
    name: 'rotated-secret',
    title: 'keeps working while the secret is rotated',
    needsSecret: true,
    async judge(patient) {
      const begun = await patient.send(
        patient.signed(patient.event('payment.success'), {
          previous: patient.secret,
          current: patient.foreignSecret,
        }),
      );
      if (!isAccepted(begun)) {
        return fail(
          `answers ${saidBy(begun)} while it has the old secret and the service signs with both`,
          'webhook-signature may carry several signatures, parted by spaces: accept when any of them fits',
        );
      }
      const installed = await patient.send(
        patient.signed(patient.event('payment.success'), {
          previous: patient.foreignSecret,
          current: patient.secret,
        }),
      );
      return isAccepted(installed)
        ? pass(`answers ${begun.status} with the old secret and ${installed.status} with the new one`)
        : advice(
            `answers ${begun.status} with the old secret, but ${saidBy(installed)} when it has the new one before the rotation is finished`,
            'accept both secrets during a rotation, or read webhook-signature; else install the new secret only when the rotation ends (24 h, or "webhook rotate-finish")',
          );
    },
  },
];

async function expectRefused(patient: Patient, posts: readonly Post[], mend: string): Promise<Verdict> {
  const { result: answers, rise } = await patient.counted(0, async () => {
    const answered: PostAnswer[] = [];
    for (const post of posts) answered.push(await patient.send(post));
    return answered;
  });
  const accepted = answers.find(isAccepted);
  if (accepted !== undefined) {
    const booked = rise === null || rise === 0 ? '' : `, and took it as paid`;
    return fail(`answers ${saidBy(accepted)}${booked}`, mend);
  }
  if (rise !== null && rise !== 0) return fail('refuses it, but took it as paid all the same', mend);
  const said = `answers ${answers.map(({ status }) => status ?? 'nothing').join(', ')}`;
  const crashed = answers.some(({ status }) => status === null || status >= 500);
  return crashed ? advice(said, 'answer 401 instead of failing: see your log') : pass(said);
}

function withHeaders(post: Post, headers: Record<string, string>): Post {
  return { ...post, headers: { ...post.headers, ...headers } };
}
