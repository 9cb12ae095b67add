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

/** One user, looked up by the beginning of the e-mail, or everybody. */
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
      clearButtonProps={{ 'aria-label': words.clear }}
      nothingFoundMessage={words.nobodyFound}
      // The server has looked; what it found is all shown.
      filter={({ options }) => options}
      data={shown.map(({ userId, email }) => ({ value: userId, label: email }))}
      value={value?.userId ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(id) => onChange(shown.find((one) => one.userId === id) ?? null)}
    />
  );
}
