import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { texts, useTexts } from '../lib/i18n.ts';
import { useTRPC } from '../lib/trpc.ts';

const TEXTS = texts({
  en: { label: 'Merchant', all: 'All merchants', none: 'No merchant with that name' },
  pt: {
    label: 'Comerciante',
    all: 'Todos',
    none: 'Nenhum comerciante com esse nome',
  },
});
const SHOWN_MAX = 8;
const TYPING_MS = 200;

interface Chosen {
  readonly merchantId: string;
  readonly name: string;
}

interface Props {
  readonly value: Chosen | null;
  readonly onChange: (merchant: Chosen | null) => void;
}

/** Selects one merchant or all merchants, for the operator's lists. */
export function MerchantPicker({ value, onChange }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const [text, setText] = useState(value?.name ?? '');
  const [wanted] = useDebouncedValue(text === value?.name ? '' : text, TYPING_MS);
  const query = useQuery(
    trpc.merchants.list.queryOptions(
      { text: wanted.slice(0, 100), limit: SHOWN_MAX },
      { placeholderData: keepPreviousData },
    ),
  );
  const found: readonly Chosen[] = query.data?.rows ?? [];
  const shown =
    value === null || found.some((one) => one.merchantId === value.merchantId) ? found : [value, ...found];
  return (
    <Select
      label={words.label}
      placeholder={words.all}
      searchable
      clearable
      nothingFoundMessage={words.none}
      // The server filters; show every result.
      filter={({ options }) => options}
      data={shown.map(({ merchantId, name }) => ({ value: merchantId, label: name }))}
      value={value?.merchantId ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(id) => onChange(shown.find((one) => one.merchantId === id) ?? null)}
    />
  );
}
