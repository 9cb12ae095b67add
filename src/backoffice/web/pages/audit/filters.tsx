import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AUDIT_WORDS } from '../../../../kernel/audit-words.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { DayField } from '../../ui/day-field.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { RemoteSelect, SHOWN_MAX } from '../../ui/remote-select.tsx';
import css from './audit.module.css';
import { TEXTS } from './texts.ts';
import { ACTIONS, type Filters, OWN_ACTIONS } from './types.ts';

interface Props {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The filters of the audit log. */
export function AuditFilters({ filters, onChange }: Props) {
  const words = useTexts(TEXTS);
  const { language } = useLanguage();
  const across = usePageMerchant() === null;
  const actions = (across ? ACTIONS : OWN_ACTIONS).map((value) => ({
    value,
    label: AUDIT_WORDS.actions[value][language],
  }));
  return (
    <search className={css.filters}>
      <Select
        label={words.what}
        placeholder={words.anything}
        searchable
        clearable
        maxDropdownHeight={320}
        data={actions}
        value={filters.action}
        onChange={(action) => onChange({ ...filters, action })}
      />
      {across && (
        <>
          <RemoteSelect
            label={words.who}
            placeholder={words.anybody}
            none={words.noPerson}
            value={filters.person}
            onChange={(person) => onChange({ ...filters, person })}
            useFound={useFoundPeople}
          />
          <MerchantPicker
            value={filters.merchant}
            onChange={(merchant) => onChange({ ...filters, merchant })}
          />
        </>
      )}
      <DayField
        label={words.since}
        value={filters.since}
        onChange={(since) => onChange({ ...filters, since })}
      />
    </search>
  );
}

/** A search over all users by e-mail. */
function useFoundPeople(text: string, enabled: boolean) {
  const input = { email: text.slice(0, 300), limit: SHOWN_MAX };
  const options = { enabled, placeholderData: keepPreviousData };
  const { data } = useQuery(trpc.users.list.queryOptions(input, options));
  return data?.rows.map(({ userId, email }) => ({ value: userId, label: email }));
}
