import { Box, Button, Flex, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbCheck, TbX } from 'react-icons/tb';
import { REASON_TEXTS } from '../../lib/fault-texts.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DomainName, domainText } from '../../ui/domain-name.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { faultText } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';

type Domain = RouterOutputs['domains']['list']['domains'][number];

export default function DomainsPage() {
  const { merchantId } = useMerchant();
  const owner = useMayChange();
  const query = useQuery(trpc.domains.list.queryOptions({ merchantId }));
  return (
    <Page title={TEXTS.pages.domains} description={TEXTS.description}>
      {!owner && <Hint>{TEXTS.viewer}</Hint>}
      <div className={css.columns}>
        {owner && <AddDomain />}
        <Card title={TEXTS.list.title} flush>
          <Loaded query={query} skeleton={<LinesSkeleton inset lines={3} height={64} />}>
            {({ domains }) =>
              domains.length === 0 ? (
                <Empty bare title={TEXTS.list.empty}>
                  {TEXTS.list.emptyHint}
                </Empty>
              ) : (
                <ul>
                  {domains.map((domain) => (
                    <DomainRow key={domain.domain} domain={domain} last={domains.length === 1} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}

interface Props {
  readonly domain: Domain;
  readonly last: boolean;
}

function DomainRow({ domain, last }: Props) {
  const { list: words, remove: label } = TEXTS;
  const { merchantId } = useMerchant();
  const { domain: pattern, names } = domain;
  const name = domainText(pattern, names);
  /** The row shows the ASCII form already. */
  const short = (host: string) => names[host] ?? host;
  const remove = useChange(trpc.domains.remove, { done: words.removed(name) });
  return (
    <li className={css.item}>
      <Stack gap={2} miw={0}>
        <strong className={css.name}>
          <DomainName domain={pattern} names={names} />
        </strong>
        <Hint>
          {pattern.startsWith('*.')
            ? words.admitsAll(short(pattern.slice(2)))
            : words.admits(
                domain.examples
                  .filter((example) => example.admitted)
                  .map((example) => short(example.host))
                  .join(', '),
              )}
        </Hint>
        <Hint>
          {words.since} <Time at={domain.createdAt} as="date" />
        </Hint>
      </Stack>
      {useMayChange() && (
        <Confirm
          title={words.removeTitle(name)}
          confirmLabel={label}
          danger
          onConfirm={() => remove.mutateAsync({ merchantId, domain: pattern })}
          trigger={<SmallButton aria-label={words.removeOf(name)}>{label}</SmallButton>}
        >
          {words.removeBody} {last && <strong>{words.removeLast}</strong>}
        </Confirm>
      )}
    </li>
  );
}

type Explanation = RouterOutputs['domains']['explain'];

const TYPING_MS = 150;

/** Adds a domain, with a live explanation. */
function AddDomain() {
  const words = TEXTS.add;
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
      <form onSubmit={save} noValidate>
        <Stack align="flex-start" gap={12}>
          <TextInput
            w="100%"
            label={words.label}
            description={words.hint}
            placeholder={words.placeholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            error={faultText(add.error)}
            onChange={(event) => type(event.currentTarget.value)}
          />
          <Button type="submit" loading={add.isPending} disabled={text.trim() === ''}>
            {words.save}
          </Button>
        </Stack>
      </form>
      <div className={css.explained} aria-live="polite">
        {explanation.data !== undefined && <Explained explanation={explanation.data} typed={typed} />}
      </div>
    </Card>
  );
}

interface ExplainedProps {
  readonly explanation: Explanation;
  /** Empty shows an example. */
  readonly typed: string;
}

/** Explains what a domain would accept, or why it is invalid. */
function Explained({ explanation, typed }: ExplainedProps) {
  const words = TEXTS.add;
  if (!explanation.ok) {
    return <Text c="var(--bad)">{REASON_TEXTS[currentLanguage()][explanation.reason]?.({})}</Text>;
  }
  const { pattern, examples, names } = explanation;
  return (
    <>
      {typed !== '' && pattern !== typed && <Hint>{words.saved(domainText(pattern, names))}</Hint>}
      <Text component="h3" fz="0.9rem" fw={600}>
        {words.examples}
      </Text>
      <Flex component="ul" direction="column" gap={5} className={css.examples}>
        {examples.map(({ host, admitted }) => (
          <Box key={host} component="li" c={admitted ? 'var(--good)' : 'var(--bad)'}>
            {admitted ? <TbCheck size={16} aria-hidden /> : <TbX size={16} aria-hidden />}
            <Box component="span" className={css.host} c={admitted ? 'var(--ink)' : 'dimmed'}>
              <DomainName domain={host} names={names} />
            </Box>
            <Text span fz="0.82rem" fw={600}>
              {admitted ? words.admits : words.refuses}
            </Text>
          </Box>
        ))}
      </Flex>
    </>
  );
}
