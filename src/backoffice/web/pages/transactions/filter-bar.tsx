import { Button, Checkbox, CloseButton, Flex, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { useRef, useState } from 'react';
import { TbAdjustmentsHorizontal, TbSearch } from 'react-icons/tb';
import { METHODS, TRANSACTION_STATUSES } from '../../../../kernel/payment-enums.ts';
import type { FilterProps } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { DayField } from '../../ui/day-field.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useTyping } from '../../ui/search-field.tsx';
import { stateWord } from '../../ui/state-badge.tsx';
import { daysOf, type Filters, isUnfiltered, type Period, periodOf } from './filters.ts';
import { TEXTS } from './texts.ts';
import css from './transactions.module.css';

interface Props extends FilterProps<Filters> {
  readonly onClear: () => void;
}

/** The search box and the filters; collapsible on a phone. */
export function FilterBar(props: Props) {
  const phone = usePhone();
  const [unfolded, setUnfolded] = useState(false);
  const { search: _, from, to, by: __, ...others } = props.filters;
  const on = Object.values(others).filter(Boolean).length + (from || to ? 1 : 0);
  return (
    <Flex component="search" direction="column" gap={14}>
      <Flex gap={10}>
        <SearchBox {...props} />
        {phone && (
          <Button
            variant="default"
            size="md"
            aria-expanded={unfolded}
            leftSection={<TbAdjustmentsHorizontal size={18} aria-hidden />}
            onClick={() => setUnfolded(!unfolded)}
          >
            {on === 0 ? TEXTS.filters : TEXTS.filtersOn(format.count(on))}
          </Button>
        )}
      </Flex>
      {(!phone || unfolded) && <Narrowing {...props} anyOn={!isUnfiltered(props.filters)} />}
    </Flex>
  );
}

/** Applies the search when typing pauses, and follows changes of the URL. */
function SearchBox({ filters, onChange }: FilterProps<Filters>) {
  const phone = usePhone();
  const [typed, type, flush] = useTyping(filters.search, (search) => onChange({ search }));
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    type('');
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      className={css.search}
      size="md"
      type="search"
      aria-label={TEXTS.search}
      placeholder={phone ? TEXTS.searchHintShort : TEXTS.searchHint}
      maxLength={255}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={flush}
      leftSection={<TbSearch size={18} aria-hidden />}
      rightSection={typed !== '' && <CloseButton aria-label={TEXTS.clearSearch} onClick={clear} />}
    />
  );
}

function Narrowing({ filters, onChange, onClear, anyOn }: Props & { readonly anyOn: boolean }) {
  const [cleared, setCleared] = useState(0);
  const clear = ({ currentTarget: { parentElement } }: { readonly currentTarget: Element }) => {
    onClear();
    // Closes the fields of a custom range.
    setCleared(cleared + 1);
    parentElement?.querySelector('select')?.focus();
  };
  return (
    <div className={css.narrowing}>
      {usePageMerchant() === null && (
        <MerchantPicker value={filters.merchant} onChange={(merchant) => onChange({ merchant })} />
      )}
      <NativeSelect
        label={TEXTS.state}
        value={filters.state ?? ''}
        onChange={(event) =>
          onChange({ state: TRANSACTION_STATUSES.find((each) => each === event.currentTarget.value) ?? null })
        }
        data={[
          { value: '', label: TEXTS.any },
          ...TRANSACTION_STATUSES.map((state) => ({ value: state, label: stateWord(state) })),
        ]}
      />
      <NativeSelect
        label={TEXTS.method}
        value={filters.method ?? ''}
        onChange={(event) =>
          onChange({ method: METHODS.find((each) => each === event.currentTarget.value) ?? null })
        }
        data={[
          { value: '', label: TEXTS.any },
          ...METHODS.map((method) => ({ value: method, label: TEXTS.methods[method] })),
        ]}
      />
      <PeriodFields key={cleared} filters={filters} onChange={onChange} />
      <Tooltip label={TEXTS.attentionWhy}>
        <Checkbox
          className={css.check}
          label={TEXTS.attention}
          checked={filters.attention !== null}
          onChange={(event) => onChange({ attention: event.currentTarget.checked ? 'true' : null })}
        />
      </Tooltip>
      {anyOn && (
        <Button variant="subtle" className={css.clear} onClick={clear}>
          {TEXTS.clear}
        </Button>
      )}
    </div>
  );
}

function PeriodFields({ filters, onChange }: FilterProps<Filters>) {
  const [choosing, setChoosing] = useState(false);
  const period = choosing ? 'chosen' : periodOf(filters);
  const choose = (next: Period) => {
    setChoosing(next === 'chosen');
    if (next !== 'chosen') onChange({ ...daysOf(next), ...(next === 'any' && { by: null }) });
  };
  return (
    <>
      <NativeSelect
        label={filters.by === 'paid' ? TEXTS.paidPeriod : TEXTS.created}
        value={period}
        onChange={(event) => choose(event.currentTarget.value as Period)}
        data={[
          { value: 'any', label: TEXTS.anyTime },
          { value: 'today', label: TEXTS.days[1] },
          { value: 'last7', label: TEXTS.days[7] },
          { value: 'last30', label: TEXTS.days[30] },
          { value: 'chosen', label: TEXTS.chosen },
        ]}
      />
      {period !== 'any' && (
        <NativeSelect
          label={TEXTS.day}
          value={filters.by ?? 'created'}
          onChange={(event) => onChange({ by: event.currentTarget.value === 'paid' ? 'paid' : null })}
          data={[
            { value: 'created', label: TEXTS.byCreated },
            { value: 'paid', label: TEXTS.byPaid },
          ]}
        />
      )}
      {period === 'chosen' && (
        <>
          <DayField
            label={TEXTS.from}
            value={filters.from}
            max={filters.to}
            onChange={(from) => onChange({ from })}
          />
          <DayField
            label={TEXTS.to}
            value={filters.to}
            min={filters.from}
            onChange={(to) => onChange({ to })}
          />
        </>
      )}
    </>
  );
}
