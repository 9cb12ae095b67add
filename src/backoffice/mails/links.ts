import type { Deps } from '../../deps.ts';
import { instantText } from '../../kernel/language.ts';
import type { ComposedMail, DueMail } from '../../mail/worker.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { findOpenLink } from '../people/link-store.ts';
import { findUser } from '../people/user-store.ts';
import { invitationText, passwordResetText } from './texts.ts';

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'serviceUrl'>;

/** The mail with a one-time link; null when the link was used, replaced or has expired. */
export async function linkMail(
  deps: LinkDeps,
  { kind, entity, link }: DueMail,
): Promise<ComposedMail | null> {
  const { read } = deps.db;
  const open = await findOpenLink(read, entity, deps.clock.now());
  const user = open === null ? null : await findUser(read, open.user_id);
  if (open === null || user === null || user.active === 0 || link === null) return null;
  const merchant = open.merchant_id === null ? null : await selectMerchant(read, open.merchant_id);
  const language = user.language ?? 'pt';
  const until = instantText(open.expires_at, language);
  const sent = { url: deps.serviceUrl() + link, until, merchantName: merchant?.name ?? null };
  const content = kind === 'invitation' ? invitationText(language, sent) : passwordResetText(language, sent);
  return { to: user.email, language, content };
}
