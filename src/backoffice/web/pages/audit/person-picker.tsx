import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { TEXTS } from './texts.ts';
import type { Filters } from './types.ts';

const SHOWN_MAX = 8;
const TYPING_MS = 200;

interface Props {
  readonly value: Filters['person'];
  readonly onChange: (person: Filters['person']) => void;
}

/** Selects one user by e-mail, or everyone. */
export function PersonPicker({ value, onChange }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const [text, setText] = useState(value?.email ?? '');
  const [wanted] = useDebouncedValue(text === value?.email ? '' : text, TYPING_MS);
  const query = useQuery(
    trpc.users.list.queryOptions(
      { email: wanted.slice(0, 300), limit: SHOWN_MAX },
      { placeholderData: keepPreviousData },
    ),
  );
  const found = (query.data?.rows ?? []).map(({ userId, email }) => ({ userId, email }));
  const known = value === null || found.some((one) => one.userId === value.userId);
  const shown = known ? found : [value, ...found];
  return (
    <Select
      label={words.who}
      placeholder={words.anybody}
      searchable
      clearable
      nothingFoundMessage={words.noPerson}
      // The server filters; show every result.
      filter={({ options }) => options}
      data={shown.map(({ userId, email }) => ({ value: userId, label: email }))}
      value={value?.userId ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(id) => onChange(shown.find((one) => one.userId === id) ?? null)}
    />
  );
}
