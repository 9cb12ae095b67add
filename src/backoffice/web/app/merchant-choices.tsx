import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { texts, useTexts } from '../lib/i18n.ts';
import { useSession } from '../lib/session.ts';
import { useTRPC } from '../lib/trpc.ts';
import css from './navigation.module.css';

const TEXTS = texts({
  en: { search: 'Search merchants', none: 'No merchant with that name' },
  pt: { search: 'Pesquisar comerciantes', none: 'Nenhum comerciante com esse nome' },
});
const SHOWN_MAX = 8;
const TYPING_MS = 200;

/** A search over the user's merchants, with the first results. */
export function MerchantChoices() {
  const words = useTexts(TEXTS);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { found, known } = useFound(text);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <input
        ref={field}
        type="search"
        className={css.search}
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {found.map(({ merchantId, name }) => (
        <Link key={merchantId} href={`/m/${merchantId}`} className={css.found}>
          {name}
        </Link>
      ))}
      {known && found.length === 0 && <p className={css.none}>{words.none}</p>}
    </>
  );
}

/** An operator searches on the server; a member's merchants are already loaded. */
function useFound(text: string): {
  found: readonly { merchantId: string; name: string }[];
  known: boolean;
} {
  const trpc = useTRPC();
  const { user, memberships } = useSession();
  const [wanted] = useDebouncedValue(text, TYPING_MS);
  const operator = user?.operator === true;
  const asked = useQuery(
    trpc.merchants.list.queryOptions(
      { text: wanted, limit: SHOWN_MAX },
      { enabled: operator, placeholderData: keepPreviousData },
    ),
  );
  if (operator) return { found: asked.data?.rows ?? [], known: asked.data !== undefined };
  const lower = text.trim().toLowerCase();
  const found = memberships.filter(({ name }) => name.toLowerCase().includes(lower)).slice(0, SHOWN_MAX);
  return { found, known: true };
}
