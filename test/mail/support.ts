import { createUser } from '../../src/backoffice/people/create-user.ts';
import type { Service, TestMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  kind: string;
  createdAt: string;
}

/** The mails to an address in the sandbox's mailbox, newest first. */
export const mailsTo = async (service: Service, to: string): Promise<Mail[]> =>
  (await service.control(`/mails?to=${encodeURIComponent(to)}`)).body;

/** Waits for a mail of this kind. */
export const mailOf = (service: Service, to: string, kind: string): Promise<Mail> =>
  until(
    async () => (await mailsTo(service, to)).find((mail) => mail.kind === kind) ?? null,
    `${kind} to ${to}`,
  );

/** The rows of the outbox. */
export const outbox = (service: Service) =>
  service.app.deps.db.read.selectFrom('mails').selectAll().orderBy('id').execute();

/** Waits until no mail is due. */
export const settled = (service: Service) =>
  until(
    async () => (await outbox(service)).every(({ due_at }) => due_at === null || due_at > Date.now()),
    'the due mails',
  );

/** Starts a Multibanco payment. */
export async function reference(merchant: TestMerchant, overrides: Record<string, unknown> = {}) {
  const transactionId = await merchant.init(overrides);
  const { body } = await merchant.post('/payments/multibanco', { transactionId });
  return { transactionId, entity: body.entity, reference: body.reference };
}

/** Adds an owner to a merchant's team. */
export async function owner(service: Service, merchant: TestMerchant, email: string) {
  const { deps } = service.app;
  await createUser(deps, {
    email,
    role: 'owner',
    merchantId: merchant.merchantId,
    password: 'quatro barcos 9',
  });
}
