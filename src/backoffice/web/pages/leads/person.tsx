import { useTexts } from '../../lib/i18n.ts';
import { Breakable } from '../../ui/breakable.tsx';
import css from './leads.module.css';
import { TEXTS } from './texts.ts';
import type { Lead } from './types.ts';

/** A person's name and contact. */
export function Person({ lead }: { readonly lead: Pick<Lead, 'name' | 'email' | 'phone' | 'erasure'> }) {
  const words = useTexts(TEXTS);
  const contact = lead.email ?? lead.phone;
  if (lead.erasure !== null) return <span className={css.gone}>{words.erasedPerson}</span>;
  return (
    <span className={css.person}>
      <span className={css.name}>{lead.name ?? words.noName}</span>
      {contact !== null && (
        <span className={css.soft}>
          <Breakable text={contact} />
        </span>
      )}
    </span>
  );
}
