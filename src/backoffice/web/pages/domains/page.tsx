import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { AddDomain } from './add.tsx';
import { DomainRow } from './domain-row.tsx';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';

/** The store domains of a merchant. */
export default function DomainsPage() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId, role } = useMerchant();
  const query = useQuery(trpc.domains.list.queryOptions({ merchantId }));
  const owner = role === 'owner';
  return (
    <Page title={words.pages.domains} description={words.description}>
      {!owner && <p className={css.hint}>{words.viewer}</p>}
      <div className={css.columns}>
        {owner && <AddDomain />}
        <Card title={words.list.title} flush>
          <Loaded
            query={query}
            skeleton={
              <div className={css.pad}>
                <LinesSkeleton lines={3} height={64} />
              </div>
            }
          >
            {({ domains }) =>
              domains.length === 0 ? (
                <Empty bare title={words.list.empty}>
                  {words.list.emptyHint}
                </Empty>
              ) : (
                <ul>
                  {domains.map((domain) => (
                    <DomainRow
                      key={domain.domain}
                      domain={domain}
                      owner={owner}
                      last={domains.length === 1}
                    />
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
