import { Group, Text } from '@mantine/core';
import { useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
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
  const words = useTexts(TEXTS);
  const country = useCountry();
  return (
    <Card title={words.customer}>
      {customer === null && shippingAddress === null ? (
        <Text c="dimmed">{words.noCustomer}</Text>
      ) : (
        <Facts
          items={[
            [words.name, customer?.name ?? null],
            [words.email, customer?.email == null ? null : <Breakable key="email" text={customer.email} />],
            [words.phone, customer?.phone ?? null],
            [
              words.address,
              lines([
                customer?.address,
                place(customer?.postalCode, customer?.city),
                country(customer?.country),
              ]),
            ],
            [
              words.shipTo,
              lines([
                shippingAddress?.line1,
                place(shippingAddress?.postalCode, shippingAddress?.city),
                country(shippingAddress?.country),
              ]),
            ],
          ]}
        />
      )}
    </Card>
  );
}

/** Returns the country name of a code; other values unchanged. */
function useCountry(): (country: string | undefined) => string | undefined {
  const { language } = useLanguage();
  return (country) => {
    if (country === undefined || !/^[A-Z]{2}$/i.test(country)) return country;
    return new Intl.DisplayNames([language === 'pt' ? 'pt-PT' : 'en-GB'], { type: 'region' }).of(
      country.toUpperCase(),
    );
  };
}

function place(postalCode: string | undefined, city: string | undefined): string | undefined {
  return [postalCode, city].filter(Boolean).join(' ') || undefined;
}

function lines(parts: readonly (string | undefined)[]) {
  const there = parts.filter((part) => part !== undefined);
  if (there.length === 0) return null;
  return there.map((part) => <div key={part}>{part}</div>);
}

/** The items of the order. */
export function Items({ detail: { items, amountCents } }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const sum = (items ?? []).reduce((total, item) => total + item.quantity * item.priceInCents, 0);
  return (
    <Card title={words.items}>
      {items === null || items.length === 0 ? (
        <Text c="dimmed">{words.noItems}</Text>
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
            <span>{words.total}</span>
            <span>{format.euro(sum)}</span>
          </Group>
          {sum !== amountCents && <p className={css.soft}>{words.itemsDiffer(format.euro(sum))}</p>}
        </>
      )}
    </Card>
  );
}

/** The campaign data, if any. */
export function Tracking({ detail: { tracking } }: Props) {
  const words = useTexts(TEXTS);
  if (tracking === null || Object.keys(tracking).length === 0) return null;
  return (
    <Card title={words.campaign}>
      <Facts items={Object.entries(tracking)} />
    </Card>
  );
}
