import { Button, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FilterProps, queryOf, useAddressDrawer, useAddressFilters } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { type MorePages, PAGED, PagedTable } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { LeadDrawer } from './lead-drawer.tsx';
import css from './leads.module.css';
import { TEXTS } from './texts.ts';
import { FILTERS, type Filters, type Lead, STATES, searchOf } from './types.ts';

export default function LeadsPage() {
  const [filters, changeFilters] = useAddressFilters(FILTERS);
  const drawer = useAddressDrawer('lead');
  const search = searchOf(filters);
  const address = `/backoffice/export/leads.csv?${queryOf({ ...search, language: currentLanguage() })}`;
  return (
    <Page
      title={TEXTS.pages.leads}
      description={TEXTS.description}
      actions={<DownloadButton href={address}>{TEXTS.csv}</DownloadButton>}
    >
      <LeadFilters filters={filters} onChange={changeFilters} />
      <LeadList search={search} onShow={drawer.open} />
      <LeadDrawer leadId={drawer.shown} onClose={drawer.close} />
    </Page>
  );
}

function LeadFilters({ filters, onChange }: FilterProps<Filters>) {
  const merchantId = filters.merchant?.value;
  const { data: listed = [] } = useQuery(trpc.leads.campaigns.queryOptions({ merchantId }));
  // That of a shared address may be older than those listed.
  const campaigns = new Set([...listed, filters.campaign].filter((campaign) => campaign !== ''));
  return (
    <search className={css.filters}>
      <SearchField
        label={TEXTS.search}
        hint={TEXTS.searchHint}
        value={filters.text}
        onChange={(text) => onChange({ text })}
      />
      <MerchantPicker
        value={filters.merchant}
        onChange={(merchant) => onChange({ merchant, campaign: '' })}
      />
      <Select
        label={TEXTS.state}
        placeholder={TEXTS.all}
        clearable
        data={STATES.map((state) => ({ value: state, label: TEXTS[state] }))}
        value={filters.state}
        onChange={(state) => onChange({ state })}
      />
      <Select
        label={TEXTS.campaign}
        placeholder={TEXTS.allCampaigns}
        searchable
        clearable
        data={[...campaigns]}
        value={filters.campaign || null}
        onChange={(campaign) => onChange({ campaign: campaign ?? '' })}
      />
    </search>
  );
}

interface ListProps {
  readonly search: ReturnType<typeof searchOf>;
  readonly onShow: (leadId: string) => void;
}

function LeadList({ search, onShow }: ListProps) {
  const query = useInfiniteQuery(trpc.leads.list.infiniteQueryOptions(search, PAGED));
  const total = useQuery(trpc.leads.count.queryOptions(search));
  const narrowed = Object.values(search).some((value) => value !== undefined);
  return (
    <PagedTable
      query={query}
      total={total}
      counted={TEXTS.counted}
      empty={<NoLeads query={query} narrowed={narrowed} />}
      skeleton={<LinesSkeleton lines={8} height={44} />}
      label={TEXTS.pages.leads}
      rowKey={(lead) => lead.leadId}
      onRow={(lead) => onShow(lead.leadId)}
      columns={[
        { key: 'person', label: TEXTS.person, cell: (lead) => <Person lead={lead} /> },
        { key: 'merchant', label: TEXTS.merchant, cell: (lead) => lead.merchantName },
        {
          key: 'campaign',
          label: TEXTS.campaign,
          wideOnly: true,
          cell: (lead) => <Soft>{lead.campaign ?? ''}</Soft>,
        },
        {
          key: 'orders',
          label: TEXTS.orders,
          cell: (lead) => TEXTS.ordersPaid(format.count(lead.paidOrders), format.count(lead.orders)),
        },
        { key: 'seen', label: TEXTS.lastSeen, cell: (lead) => <Time soft at={lead.lastSeenAt} as="ago" /> },
        {
          key: 'paid',
          label: TEXTS.taken,
          align: 'right',
          cell: (lead) => (
            <Text
              span
              {...(lead.paidCents === 0 ? { c: 'dimmed', fz: '0.88rem' } : { fw: 600 })}
              textWrap="nowrap"
            >
              {format.euro(lead.paidCents)}
            </Text>
          ),
        },
      ]}
    />
  );
}

interface NoLeadsProps {
  readonly query: MorePages<Lead>;
  /** Whether a search is active. */
  readonly narrowed: boolean;
}

/** The list without leads; a bounded search without results offers to continue. */
function NoLeads({ query, narrowed }: NoLeadsProps) {
  if (query.hasNextPage) {
    return (
      <Empty
        title={TEXTS.none}
        action={
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {TEXTS.lookOn}
          </Button>
        }
      >
        {TEXTS.lookedThrough}
      </Empty>
    );
  }
  return narrowed ? (
    <Empty title={TEXTS.none}>{TEXTS.noneText}</Empty>
  ) : (
    <Empty title={TEXTS.empty}>{TEXTS.emptyText}</Empty>
  );
}

function Person({ lead }: { readonly lead: Pick<Lead, 'name' | 'email' | 'phone' | 'erasure'> }) {
  const contact = lead.email ?? lead.phone;
  if (lead.erasure !== null)
    return (
      <Text span c="dimmed" fs="italic">
        {TEXTS.erasedPerson}
      </Text>
    );
  return (
    <Stack gap={0} miw={0}>
      <strong>{lead.name ?? TEXTS.noName}</strong>
      {contact !== null && (
        <Soft>
          <Breakable text={contact} />
        </Soft>
      )}
    </Stack>
  );
}
