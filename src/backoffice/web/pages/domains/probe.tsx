import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { domainText } from '../../ui/domain-name.tsx';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';

const TYPING_MS = 150;

/** Checks whether payments from an address would be accepted. */
export function Probe() {
  const words = useTexts(TEXTS).probe;
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const [text, setText] = useState('');
  const [address] = useDebouncedValue(text.trim(), TYPING_MS);
  const { data } = useQuery(
    trpc.domains.probe.queryOptions(
      { merchantId, address },
      { enabled: address !== '', placeholderData: keepPreviousData },
    ),
  );
  return (
    <Card title={words.title}>
      <TextInput
        label={words.label}
        placeholder={words.placeholder}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p className={css.answer} aria-live="polite">
        {address !== '' && data !== undefined && (
          <span className={data.admittedBy === null ? css.no : css.yes}>
            {!data.readable
              ? words.unreadable
              : data.admittedBy === null
                ? words.no
                : words.yes(domainText(data.admittedBy, data.names))}
          </span>
        )}
      </p>
    </Card>
  );
}
