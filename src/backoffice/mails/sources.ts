import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { MailSources } from '../../mail/worker.ts';
import { findUser } from '../people/user-store.ts';
import { bankAlert, moneyAlert, undeliveredAlert } from './alerts.ts';
import { linkMail } from './links.ts';
import { activeReaders } from './readers-store.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'serviceUrl'>;

/** The mails to users of the back office, and the recipients of alerts. */
export function backofficeMails(deps: MailDeps): MailSources {
  const { read } = deps.db;
  return {
    mails: {
      invitation: (mail) => linkMail(deps, mail),
      'password-reset': (mail) => linkMail(deps, mail),
    },
    alerts: {
      'alert-undelivered': undeliveredAlert(deps),
      'alert-money': moneyAlert(deps),
      'alert-bank': bankAlert(deps),
    },
    readers: (audience) => activeReaders(read, audience),
    async reader(id: Id<'usr'>) {
      const user = await findUser(read, id);
      return user === null || user.active === 0 ? null : { to: user.email, language: user.language ?? 'pt' };
    },
  };
}
