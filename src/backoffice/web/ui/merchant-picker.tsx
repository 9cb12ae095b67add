import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Option } from '../lib/address.ts';
import { texts } from '../lib/i18n.ts';
import { type RouterOutputs, trpc } from '../lib/trpc.ts';
import { RemoteSelect, SHOWN_MAX } from './remote-select.tsx';

const TEXTS = texts({
  all: ['All merchants', 'Todos'],
});

interface Props {
  readonly value: Option | null;
  readonly onChange: (merchant: Option | null) => void;
}

/** Selects one merchant or all merchants, for the operator's lists. */
export function MerchantPicker(props: Props) {
  return (
    <RemoteSelect
      label={TEXTS.merchant}
      placeholder={TEXTS.all}
      none={TEXTS.noMerchant}
      useFound={useFoundMerchants}
      {...props}
    />
  );
}

export function optionOf({
  merchantId,
  name,
}: {
  readonly merchantId: string;
  readonly name: string;
}): Option {
  return { value: merchantId, label: name };
}

/** The operator's search over all merchants. */
export function useFoundMerchants(text: string, enabled: boolean) {
  const input = { text: text.slice(0, 100), limit: SHOWN_MAX };
  const select = ({ rows }: RouterOutputs['merchants']['list']) => rows.map(optionOf);
  const options = { enabled, placeholderData: keepPreviousData, select };
  return useQuery(trpc.merchants.list.queryOptions(input, options));
}
