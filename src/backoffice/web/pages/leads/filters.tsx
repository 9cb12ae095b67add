import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import css from './leads.module.css';
import { TEXTS } from './texts.ts';
import type { Filters, LeadState } from './types.ts';

interface Props {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The search box and filters of the leads. */
export function LeadFilters({ filters, onChange }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const merchantId = filters.merchant?.merchantId;
  const campaigns = useQuery(
    trpc.leads.campaigns.queryOptions(merchantId === undefined ? {} : { merchantId }),
  );
  const states: readonly LeadState[] = ['asked', 'paid', 'erased'];
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
        onChange={(merchant) => onChange({ ...filters, merchant, campaign: null })}
      />
      <Select
        label={words.state}
        placeholder={words.all}
        clearable
        data={states.map((state) => ({ value: state, label: words[state] }))}
        value={filters.state}
        onChange={(state) => onChange({ ...filters, state: state as LeadState | null })}
      />
      <Select
        label={words.campaign}
        placeholder={words.allCampaigns}
        searchable
        clearable
        data={campaigns.data ?? []}
        value={filters.campaign}
        onChange={(campaign) => onChange({ ...filters, campaign })}
      />
    </search>
  );
}
