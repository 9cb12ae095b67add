import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { MethodCard } from './method-card.tsx';
import css from './methods.module.css';
import { TEXTS } from './texts.ts';

const FOREVER = Number.POSITIVE_INFINITY;

export default function MethodsPage() {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const trpc = useTRPC();
  const query = useQuery(trpc.methods.list.queryOptions({ merchantId }, { staleTime: FOREVER }));
  return (
    <Page title={words.pages.methods} description={words.description}>
      <Loaded query={query} skeleton={<Skeletons />}>
        {(methods) => (
          <ul className={css.methods}>
            {methods.map((method) => (
              <MethodCard key={method.id} method={method} />
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  );
}

function Skeletons() {
  return (
    <div className={css.methods}>
      {['one', 'two', 'three'].map((name) => (
        <Skeleton key={name} height={300} radius="lg" />
      ))}
    </div>
  );
}
