import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { RemoteSelect, SHOWN_MAX } from '../../ui/remote-select.tsx';
import { TEXTS } from './texts.ts';
import type { Filters } from './types.ts';

type Person = NonNullable<Filters['person']>;

interface Props {
  readonly value: Person | null;
  readonly onChange: (person: Person | null) => void;
}

/** Selects one user by e-mail, or everyone. */
export function PersonPicker({ value, onChange }: Props) {
  const words = useTexts(TEXTS);
  return (
    <RemoteSelect
      label={words.who}
      placeholder={words.anybody}
      none={words.noPerson}
      value={value && optionOf(value)}
      onChange={(option) => onChange(option && { userId: option.value, email: option.label })}
      useFound={useFoundPeople}
    />
  );
}

const optionOf = ({ userId, email }: Person) => ({ value: userId, label: email });

function useFoundPeople(text: string, enabled: boolean) {
  const trpc = useTRPC();
  const input = { email: text.slice(0, 300), limit: SHOWN_MAX };
  const options = { enabled, placeholderData: keepPreviousData };
  return useQuery(trpc.users.list.queryOptions(input, options)).data?.rows.map(optionOf);
}
