import { Button, Select } from '@mantine/core';
import type { DeliveryLine } from '../../../webhook/deliveries.ts';
import { type Addressed, dayOf, oneOf } from '../../lib/address.ts';
import { EVENT_KINDS } from '../../lib/event-kinds.ts';
import { useTexts } from '../../lib/i18n.ts';
import { DayField } from '../../ui/day-field.tsx';
import { useStateWord } from '../../ui/state-badge.tsx';
import { TEXTS } from './texts.ts';
import css from './webhook.module.css';

const STATES = ['delivered', 'undelivered', 'skipped', 'missed', 'due'] as const;
const KINDS = [
  'payment.success',
  'payment.failed',
  'payment.cancelled',
  'payment.refunded',
  'webhook.test',
] as const;

export interface Filters {
  readonly state: (typeof STATES)[number] | null;
  readonly kind: DeliveryLine['kind'] | null;
  /** Days of Lisbon, `YYYY-MM-DD`; empty for none. */
  readonly from: string;
  readonly until: string;
}

const NO_FILTERS: Filters = { state: null, kind: null, from: '', until: '' };

/** The filters in the address. */
export const FILTERS: Addressed<Filters> = {
  read: (params) => ({
    state: oneOf(STATES, params.get('state')),
    kind: oneOf(KINDS, params.get('kind')),
    from: dayOf(params, 'from'),
    until: dayOf(params, 'until'),
  }),
  write: (filters) => ({ ...filters }),
};

export function isFiltered(filters: Filters): boolean {
  return filters.state !== null || filters.kind !== null || filters.from !== '' || filters.until !== '';
}

/** The filters of the log. */
export function LogFilters({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}) {
  const words = useTexts(TEXTS);
  const kinds = useTexts(EVENT_KINDS);
  const stateWord = useStateWord();
  return (
    <div className={css.filters}>
      <Select
        label={words.state}
        placeholder={words.all}
        clearable
        data={STATES.map((state) => ({
          value: state,
          label: state === 'missed' ? words.log.missed : stateWord(state),
        }))}
        value={filters.state}
        onChange={(state) => onChange({ ...filters, state: state as Filters['state'] })}
      />
      <Select
        label={words.log.kind}
        placeholder={words.all}
        clearable
        data={KINDS.map((kind) => ({ value: kind, label: kinds[kind] }))}
        value={filters.kind}
        onChange={(kind) => onChange({ ...filters, kind: kind as Filters['kind'] })}
      />
      <DayField label={words.from} value={filters.from} onChange={(from) => onChange({ ...filters, from })} />
      <DayField
        label={words.to}
        value={filters.until}
        onChange={(until) => onChange({ ...filters, until })}
      />
      {isFiltered(filters) && (
        <Button variant="subtle" onClick={() => onChange(NO_FILTERS)}>
          {words.log.clear}
        </Button>
      )}
    </div>
  );
}
