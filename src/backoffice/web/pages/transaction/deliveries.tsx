import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { DeliveryRow } from '../../ui/delivery-row.tsx';
import type { Detail } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';

interface Props {
  readonly detail: Detail;
  readonly mayResend: boolean;
}

/** The webhook deliveries, newest first. */
export function Deliveries({ detail, mayResend }: Props) {
  const words = useTexts(TEXTS);
  const { deliveries, merchantId } = detail;
  return (
    <Card title="Webhooks" flush={deliveries.length > 0}>
      {deliveries.length === 0 ? (
        <p className={css.empty}>{words.noDeliveries}</p>
      ) : (
        <ul>
          {deliveries.toReversed().map((row) => (
            <DeliveryRow key={row.deliveryId} row={row} merchantId={merchantId} mayResend={mayResend} />
          ))}
        </ul>
      )}
    </Card>
  );
}
