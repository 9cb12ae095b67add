import { createUser } from '../../src/backoffice/people/create-user.ts';
import type { MailKind } from '../../src/db/tables/mails.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { type Service, startService, startWithMerchant, type TestMerchant } from '../support/harness.ts';
import { updateRows } from '../support/rows.ts';
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

/** Makes the mails of this kind due now. */
export const makeDue = (service: Service, kind: MailKind) =>
  updateRows(service.app.deps.db, 'mails', { due_at: 1, state: 'queued' }, { kind });

/** Makes the reminders due now, and waits until no mail is queued. */
export async function remind(service: Service) {
  await makeDue(service, 'multibanco-reminder');
  await until(async () => (await outbox(service)).every(({ due_at }) => due_at === null), 'the reminder');
}

/** Creates an operator. */
export const operator = (service: Service, email: string) =>
  createUser(service.app.deps, { email, role: 'operator', merchantId: null, password: 'quatro barcos 9' });

/** Adds an owner to a merchant's team. */
export async function owner(service: Service, merchant: TestMerchant, email: string) {
  const { merchantId } = merchant;
  await createUser(service.app.deps, { email, role: 'owner', merchantId, password: 'quatro barcos 9' });
}

/** A service with a merchant whose customers get mail. */
export async function mailingShop(name?: string, env: Record<string, string> = {}) {
  const service = await startService({ env });
  const merchant = await service.merchant(name === undefined ? {} : { name });
  const { deps } = service.app;
  await setMerchant(deps, merchant.merchantId, { customerMails: true });
  return { service, deps, merchant };
}

/** A service with a merchant and its owner dona@shop.pt. */
export async function ownedShop() {
  const { service, merchant } = await startWithMerchant();
  await owner(service, merchant, 'dona@shop.pt');
  return { service, deps: service.app.deps, merchant };
}

/** The subjects of the mails to an address, newest first. */
export const subjectsTo = async (service: Service, to: string) =>
  (await mailsTo(service, to)).map(({ subject }) => subject);
