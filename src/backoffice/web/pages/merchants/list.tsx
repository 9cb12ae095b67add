import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import css from './merchants.module.css';
import { TEXTS } from './texts.ts';
import type { Merchant } from './types.ts';
import { WebhookBadge } from './webhook-badge.tsx';

interface Props {
  readonly rows: readonly Merchant[];
  readonly onShow: (merchantId: string) => void;
}

/** The list of merchants. */
export function MerchantList({ rows, onShow }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  return (
    <Rows
      label={words.pages.merchants}
      rows={rows}
      rowKey={(merchant) => merchant.merchantId}
      onRow={(merchant) => onShow(merchant.merchantId)}
      columns={[
        {
          key: 'name',
          label: words.name,
          cell: (merchant) => <span className={css.name}>{merchant.name}</span>,
        },
        { key: 'state', label: words.state, cell: (merchant) => <States merchant={merchant} /> },
        {
          key: 'webhook',
          label: words.pages.webhook,
          cell: (merchant) => <WebhookBadge state={merchant.webhook} />,
        },
        {
          key: 'firstPaid',
          label: words.firstPaid,
          cell: (merchant) => (
            <span className={css.soft}>
              {merchant.firstPaidAt === null ? words.notYet : <Time at={merchant.firstPaidAt} as="date" />}
            </span>
          ),
        },
        {
          key: 'taken',
          label: words.taken,
          align: 'right',
          cell: (merchant) => (
            <span className={css.taken}>
              <span className={merchant.takenCents === 0 ? css.soft : css.amount}>
                {format.euro(merchant.takenCents)}
              </span>
              <span className={css.soft}>
                {words.payments(merchant.takenCount, format.count(merchant.takenCount))}
              </span>
            </span>
          ),
        },
      ]}
    />
  );
}

/** The status badges of a merchant. */
function States({ merchant }: { readonly merchant: Pick<Merchant, 'active' | 'hold'> }) {
  return (
    <span className={css.states}>
      <StateBadge state={merchant.active ? 'active' : 'inactive'} />
      {merchant.hold && <StateBadge state="hold" />}
    </span>
  );
}
