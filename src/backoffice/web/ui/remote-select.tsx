import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Option } from '../lib/address.ts';
import { COMMON } from '../lib/i18n.ts';

/** The options that a search shows. */
export const SHOWN_MAX = 8;
const TYPING_MS = 200;

/** The part of a query that the field needs. */
interface Found {
  readonly data: readonly Option[] | undefined;
  readonly isError: boolean;
}

interface Props {
  readonly label: string;
  readonly placeholder: string;
  /** Shown when no option fits. */
  readonly none: string;
  readonly value: Option | null;
  readonly onChange: (option: Option | null) => void;
  /** A hook that finds the options for a text. */
  readonly useFound: (text: string, enabled: boolean) => Found;
  /** For a field that always has a value: no visible label, nothing to clear, and an icon. */
  readonly icon?: ReactNode;
}

/** A field that searches as the user types, and selects one of the results. */
export function RemoteSelect({ label, placeholder, none, value, onChange, useFound, icon }: Props) {
  const [text, setText] = useState(value?.label ?? '');
  const [used, setUsed] = useState(false);
  const [wanted] = useDebouncedValue(text === value?.label ? '' : text, TYPING_MS);
  const { data: found, isError } = useFound(wanted, used);
  const known = value === null || found?.some((one) => one.value === value.value) === true;
  const shown = known ? (found ?? []) : [value, ...(found ?? [])];
  return (
    <Select
      {...(icon === undefined ? { label, clearable: true } : { 'aria-label': label, leftSection: icon })}
      placeholder={placeholder}
      searchable
      allowDeselect={icon === undefined}
      nothingFoundMessage={found !== undefined ? none : isError ? COMMON.failed : COMMON.loading}
      // The search has filtered; show every result, without the value if it is none of them.
      filter={({ options }) => (known ? options : options.slice(1))}
      data={shown}
      value={value?.value ?? null}
      searchValue={text}
      onSearchChange={setText}
      onFocus={() => setUsed(true)}
      onChange={(id) => onChange(shown.find((one) => one.value === id) ?? null)}
    />
  );
}
