import type { Deps } from '../../deps.ts';
import { instantText } from '../../kernel/language.ts';
import type { MailContent } from '../../mail/content.ts';
import type { ComposedMail, DueMail } from '../../mail/worker.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { findOpenLink } from '../people/link-store.ts';
import { findUser } from '../people/user-store.ts';

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
  const url = deps.serviceUrl() + link;
  const until = instantText(open.expires_at, 'pt');
  const content =
    kind === 'invitation' ? invitation(url, until, merchant?.name ?? null) : passwordReset(url, until);
  return { to: user.email, language: 'pt', content };
}

function invitation(url: string, until: string, merchantName: string | null): MailContent {
  return {
    subject:
      merchantName === null
        ? 'Convite para a área de gestão de pagamentos'
        : `Convite para a equipa de ${merchantName}`,
    heading: merchantName === null ? 'Acesso à área de gestão' : `Convite para a equipa de ${merchantName}`,
    paragraphs: [
      merchantName === null
        ? 'Foi criada uma conta para este endereço na área de gestão de pagamentos.'
        : `${merchantName} convida o titular deste endereço a aceder aos seus pagamentos.`,
    ],
    action: { label: 'Definir a palavra-passe e entrar', url },
    notes: [
      `A ligação só funciona uma vez e até ${until}.`,
      'Quem não esperava este convite pode ignorar a mensagem.',
    ],
  };
}

function passwordReset(url: string, until: string): MailContent {
  return {
    subject: 'Definir uma nova palavra-passe',
    heading: 'Definir uma nova palavra-passe',
    paragraphs: [
      'Foi pedida uma nova palavra-passe para esta conta. A palavra-passe atual continua válida até a ligação ser usada.',
    ],
    action: { label: 'Definir nova palavra-passe', url },
    notes: [
      `A ligação só funciona uma vez e até ${until}.`,
      'Quem não fez este pedido pode ignorar a mensagem.',
    ],
  };
}
