import { Button, Flex, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonText } from '../../lib/fault-texts.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { DomainName, domainText } from '../../ui/domain-name.tsx';
import { useFaultText } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';

type Explanation = RouterOutputs['domains']['explain'];

const TYPING_MS = 150;

/** Adds a domain, with a live explanation. */
export function AddDomain() {
  const words = useTexts(TEXTS).add;
  const { merchantId } = useMerchant();
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), TYPING_MS);
  const explanation = useQuery(
    trpc.domains.explain.queryOptions(
      // An empty field shows the examples of the placeholder.
      { merchantId, text: typed === '' ? words.placeholder : typed },
      { placeholderData: keepPreviousData },
    ),
  );
  const add = useChange(trpc.domains.add, {
    done: ({ domain }) => words.added(domain.trim()),
  });
  const type = (next: string) => {
    setText(next);
    if (add.isError) add.reset();
  };
  const save = submitting(async () => {
    await add.mutateAsync({ merchantId, domain: text });
    // The next domain may be typed by now.
    setText((now) => (now === text ? '' : now));
  });
  return (
    <Card title={words.title}>
      <form onSubmit={save} noValidate className={css.form}>
        <TextInput
          label={words.label}
          description={words.hint}
          placeholder={words.placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={useFaultText(add.error)}
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

interface Props {
  readonly explanation: Explanation;
  /** Empty shows an example. */
  readonly typed: string;
}

/** Explains what a domain would accept, or why it is invalid. */
function Explained({ explanation, typed }: Props) {
  const words = useTexts(TEXTS).add;
  const { language } = useLanguage();
  if (!explanation.ok) {
    return <Text c="var(--bad)">{reasonText(language, explanation.reason)}</Text>;
  }
  const { pattern, examples, names } = explanation;
  return (
    <>
      {typed !== '' && pattern !== typed && (
        <p className={css.hint}>{words.saved(domainText(pattern, names))}</p>
      )}
      <Text component="h3" fz="0.9rem" fw={600}>
        {words.examples}
      </Text>
      <Flex component="ul" direction="column" gap={5} className={css.examples}>
        {examples.map(({ host, admitted }) => (
          <li key={host} className={admitted ? css.yes : css.no}>
            {admitted ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
            <span className={css.host}>
              <DomainName domain={host} names={names} />
            </span>
            <Text span fz="0.82rem" fw={600}>
              {admitted ? words.admits : words.refuses}
            </Text>
          </li>
        ))}
      </Flex>
    </>
  );
}
