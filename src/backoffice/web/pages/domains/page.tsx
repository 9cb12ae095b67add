import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DomainName, domainText } from '../../ui/domain-name.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { AddDomain } from './add.tsx';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';

type Domain = RouterOutputs['domains']['list']['domains'][number];

/** The store domains of a merchant. */
export default function DomainsPage() {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const owner = useMayChange();
  const query = useQuery(trpc.domains.list.queryOptions({ merchantId }));
  return (
    <Page title={words.pages.domains} description={words.description}>
      {!owner && <p className={css.hint}>{words.viewer}</p>}
      <div className={css.columns}>
        {owner && <AddDomain />}
        <Card title={words.list.title} flush>
          <Loaded query={query} skeleton={<LinesSkeleton inset lines={3} height={64} />}>
            {({ domains }) =>
              domains.length === 0 ? (
                <Empty bare title={words.list.empty}>
                  {words.list.emptyHint}
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

/** A row of the list. */
function DomainRow({ domain, last }: Props) {
  const { list: words, remove: label } = useTexts(TEXTS);
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
        <span className={css.hint}>
          {pattern.startsWith('*.')
            ? words.admitsAll(short(pattern.slice(2)))
            : words.admits(
                domain.examples
                  .filter((example) => example.admitted)
                  .map((example) => short(example.host))
                  .join(', '),
              )}
        </span>
        <span className={css.hint}>
          {words.since} <Time at={domain.createdAt} as="date" />
        </span>
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
