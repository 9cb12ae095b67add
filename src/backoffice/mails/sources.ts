import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { deadlineText } from '../../kernel/language.ts';
import type { Audience, ComposedMail, DueMail } from '../../mail/worker.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { findOpenLink } from '../people/link-store.ts';
import { activeReaders } from '../people/member-store.ts';
import { findUser } from '../people/user-store.ts';
import { bankAlert, moneyAlert, undeliveredAlert } from './alerts.ts';
import { invitationText, passwordResetText } from './texts.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'serviceUrl'>;

export function backofficeMails(deps: MailDeps) {
  const { read } = deps.db;
  return {
    kinds: {
      invitation: (mail: DueMail) => linkMail(deps, mail),
      'password-reset': (mail: DueMail) => linkMail(deps, mail),
      'alert-undelivered': undeliveredAlert(deps),
      'alert-money': moneyAlert(deps),
      'alert-bank': bankAlert(deps),
    },
    readers: (audience: Audience) => activeReaders(read, audience),
    async reader(id: Id<'usr'>) {
      const user = await findUser(read, id);
      return user === null || user.active === 0 ? null : { to: user.email, language: user.language ?? 'pt' };
    },
  };
}

/** The mail with a one-time link; null when the link was used, replaced or has expired. */
async function linkMail(deps: MailDeps, { kind, entity, link }: DueMail): Promise<ComposedMail | null> {
  const { read } = deps.db;
  const open = await findOpenLink(read, entity, deps.clock.now());
  const user = open === null ? null : await findUser(read, open.user_id);
  if (open === null || user === null || user.active === 0 || link === null) return null;
  const merchant = open.merchant_id === null ? null : await selectMerchant(read, open.merchant_id);
  const language = user.language ?? 'pt';
  const until = deadlineText(open.expires_at, language);
  const sent = { url: deps.serviceUrl() + link, until, merchantName: merchant?.name ?? null };
  const content = kind === 'invitation' ? invitationText(language, sent) : passwordResetText(language, sent);
  return { to: user.email, language, content };
}
