import { useQuery } from '@tanstack/react-query';
import { type Interval, intervalFault } from '../../../../kernel/day-interval.ts';
import { useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Days, Total } from './days.tsx';
import { INTERVAL, PeriodFields } from './filters.tsx';
import { TEXTS } from './texts.ts';

/** The money that the merchant received, paid in fees and refunded on each day of a period. */
export default function SettlementPage() {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { language } = useLanguage();
  const operator = useSession().user?.operator === true;
  const [interval, setInterval] = useAddressState(INTERVAL);
  const isValid = intervalFault(interval) === null;
  const file = new URLSearchParams({ merchantId, ...interval, language });
  return (
    <Page
      title={words.pages.settlement}
      description={operator ? `${words.description} ${words.heldIncluded}` : words.description}
      actions={
        isValid && (
          <DownloadButton href={`/backoffice/export/settlement.csv?${file}`}>{words.csv}</DownloadButton>
        )
      }
    >
      <PeriodFields interval={interval} onChange={setInterval} />
      {isValid && <Shown interval={interval} />}
    </Page>
  );
}

function Shown({ interval }: { readonly interval: Interval }) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.settlement.show.queryOptions({ merchantId, ...interval }));
  return (
    <Loaded
      query={query}
      empty={({ days }) => (days.length === 0 ? <Empty title={words.none}>{words.noneWhy}</Empty> : null)}
      skeleton={<LinesSkeleton lines={10} />}
    >
      {({ total, days }) => (
        <>
          <Total total={total} interval={interval} />
          <Days days={days} />
        </>
      )}
    </Loaded>
  );
}
