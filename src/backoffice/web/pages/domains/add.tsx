import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { faultOf } from '../../lib/faults.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './domains.module.css';
import { Explained } from './explained.tsx';
import { TEXTS } from './texts.ts';

const TYPING_MS = 150;

/** Adds a domain, with a live explanation. */
export function AddDomain() {
  const words = useTexts(TEXTS).add;
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [typed] = useDebouncedValue(text.trim(), TYPING_MS);
  const explanation = useQuery(
    trpc.domains.explain.queryOptions(
      // An empty field shows the examples of the placeholder.
      { merchantId, text: typed === '' ? words.placeholder : typed },
      { placeholderData: keepPreviousData },
    ),
  );
  const add = useChange((router) => router.domains.add, {
    done: ({ domain }) => words.added(domain.trim()),
  });
  const type = (next: string) => {
    setText(next);
    setFault(null);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await add.mutateAsync({ merchantId, domain: text });
      type('');
    } catch (error) {
      setFault(faultOf(error).message);
    }
  };
  return (
    <Card title={words.title}>
      <form onSubmit={(event) => void save(event)} noValidate className={css.form}>
        <TextInput
          label={words.label}
          description={words.hint}
          placeholder={words.placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={fault}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Button type="submit" loading={add.isPending} disabled={text.trim() === ''}>
          {words.save}
        </Button>
      </form>
      <div className={css.explained} aria-live="polite">
        {explanation.data !== undefined && <Explained explanation={explanation.data} typed={typed} />}
      </div>
    </Card>
  );
}
