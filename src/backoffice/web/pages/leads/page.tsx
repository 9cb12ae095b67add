import { Select } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryOf, useAddressDrawer, useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { trpc } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { LinesSkeleton } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { PAGED, PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { LeadDrawer } from './lead-drawer.tsx';
import css from './leads.module.css';
import { LeadList, NoLeads } from './list.tsx';
import { TEXTS } from './texts.ts';
import { FILTERS, type Filters, STATES, searchOf } from './types.ts';

export default function LeadsPage() {
  const words = useTexts(TEXTS);
  const { language } = useLanguage();
  const [filters, setFilters] = useAddressState(FILTERS);
  const drawer = useAddressDrawer('lead');
  const search = searchOf(filters);
  const query = useInfiniteQuery(trpc.leads.list.infiniteQueryOptions(search, PAGED));
  const total = useQuery(trpc.leads.count.queryOptions(search, { placeholderData: keepPreviousData }));
  const address = `/backoffice/export/leads.csv?${queryOf({ ...search, language })}`;
  return (
    <Page
      title={words.pages.leads}
      description={words.description}
      actions={<DownloadButton href={address}>{words.csv}</DownloadButton>}
    >
      <LeadFilters filters={filters} onChange={setFilters} />
      <PagedList
        query={query}
        total={total.data}
        counted={words.counted}
        rowKey={(lead) => lead.leadId}
        empty={
          <NoLeads query={query} narrowed={Object.values(search).some((value) => value !== undefined)} />
        }
        skeleton={<LinesSkeleton lines={8} height={44} />}
      >
        {(rows) => <LeadList rows={rows} onShow={drawer.open} />}
      </PagedList>
      <LeadDrawer leadId={drawer.shown} onClose={drawer.close} />
    </Page>
  );
}

interface Props {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The search box and filters of the leads. */
function LeadFilters({ filters, onChange }: Props) {
  const words = useTexts(TEXTS);
  const merchantId = filters.merchant?.value;
  const { data: listed = [] } = useQuery(trpc.leads.campaigns.queryOptions({ merchantId }));
  // That of a shared address may be older than those listed.
  const campaigns = new Set([...listed, filters.campaign].filter((campaign) => campaign !== ''));
  return (
    <search className={css.filters}>
      <SearchField
        label={words.search}
        hint={words.searchHint}
        value={filters.text}
        onChange={(text) => onChange({ ...filters, text })}
      />
      <MerchantPicker
        value={filters.merchant}
        onChange={(merchant) => onChange({ ...filters, merchant, campaign: '' })}
      />
      <Select
        label={words.state}
        placeholder={words.all}
        clearable
        data={STATES.map((state) => ({ value: state, label: words[state] }))}
        value={filters.state}
        onChange={(state) => onChange({ ...filters, state })}
      />
      <Select
        label={words.campaign}
        placeholder={words.allCampaigns}
        searchable
        clearable
        data={[...campaigns]}
        value={filters.campaign || null}
        onChange={(campaign) => onChange({ ...filters, campaign: campaign ?? '' })}
      />
    </search>
  );
}
