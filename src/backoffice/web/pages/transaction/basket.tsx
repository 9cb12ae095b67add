import { Group, Text } from '@mantine/core';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { Facts } from '../../ui/facts.tsx';
import type { Detail } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';

interface Props {
  readonly detail: Detail;
}

/** Customer and shipping address. */
export function Customer({ detail: { customer, shippingAddress } }: Props) {
  return (
    <Card title={TEXTS.customer}>
      {customer === null && shippingAddress === null ? (
        <Text c="dimmed">{TEXTS.noCustomer}</Text>
      ) : (
        <Facts
          items={[
            [TEXTS.name, customer?.name ?? null],
            [TEXTS.email, customer?.email == null ? null : <Breakable key="email" text={customer.email} />],
            [TEXTS.phone, customer?.phone ?? null],
            [
              TEXTS.address,
              lines([
                customer?.address,
                place(customer?.postalCode, customer?.city),
                countryName(customer?.country),
              ]),
            ],
            [
              TEXTS.shipTo,
              lines([
                shippingAddress?.line1,
                place(shippingAddress?.postalCode, shippingAddress?.city),
                countryName(shippingAddress?.country),
              ]),
            ],
          ]}
        />
      )}
    </Card>
  );
}

/** Returns the country name of a code; other values unchanged. */
function countryName(country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/i.test(country)) return country;
  return new Intl.DisplayNames([currentLanguage() === 'pt' ? 'pt-PT' : 'en-GB'], { type: 'region' }).of(
    country.toUpperCase(),
  );
}

function place(postalCode: string | undefined, city: string | undefined): string | undefined {
  return [postalCode, city].filter(Boolean).join(' ') || undefined;
}

function lines(parts: readonly (string | undefined)[]) {
  const there = parts.filter((part) => part !== undefined);
  if (there.length === 0) return null;
  return there.map((part) => <div key={part}>{part}</div>);
}

export function Items({ detail: { items, amountCents } }: Props) {
  const sum = (items ?? []).reduce((total, item) => total + item.quantity * item.priceInCents, 0);
  return (
    <Card title={TEXTS.items}>
      {items === null || items.length === 0 ? (
        <Text c="dimmed">{TEXTS.noItems}</Text>
      ) : (
        <>
          <ul>
            {items.map((item, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a shop may send the same item twice, and the list never changes
              <li key={`${place} ${item.id}`} className={css.item}>
                <span>{item.name}</span>
                <span>{format.euro(item.quantity * item.priceInCents)}</span>
                <small>
                  {item.quantity} × {format.euro(item.priceInCents)} · {item.id}
                </small>
              </li>
            ))}
          </ul>
          <Group justify="space-between" fw={640} pt={12}>
            <span>{TEXTS.total}</span>
            <span>{format.euro(sum)}</span>
          </Group>
          {sum !== amountCents && <p className={css.soft}>{TEXTS.itemsDiffer(format.euro(sum))}</p>}
        </>
      )}
    </Card>
  );
}

/** The campaign data, if any. */
export function Tracking({ detail: { tracking } }: Props) {
  if (tracking === null || Object.keys(tracking).length === 0) return null;
  return (
    <Card title={TEXTS.campaign}>
      <Facts items={Object.entries(tracking)} />
    </Card>
  );
}
