import type { EupagoCredentials } from '../../src/banks/eupago/profile.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import { type Route, setRoute } from '../../src/banks/routes.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import { METHODS } from '../../src/kernel/payment-enums.ts';
import type { TrueAccount } from './bank-state.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';

const ROUTES: readonly Route[] = [
  { acquirer: 'ifthenpay', fallback: 'eupago' },
  { acquirer: 'ifthenpay', fallback: null },
  { acquirer: 'eupago', fallback: 'ifthenpay' },
  { acquirer: 'eupago', fallback: 'ifthenpay' },
  { acquirer: 'eupago', fallback: null },
];
const EUPAGO = { acquirer: 'eupago' } as const;
const DEFAULT_CHANNEL = 1;
const OWN_CHANNEL = 2;
const WEBHOOK_KEY_BYTES = 32;
export const CALLBACK_KEY = 'k'.repeat(40);

/** The credentials of a contract at ifthenpay. A third of the contracts share a payment list. */
export function contract(number: number): IfthenpayCredentials {
  const digits = String(number).padStart(6, '0');
  return {
    mbWayKey: `SIM-${digits}`,
    mbKey: `SIX-${digits}`,
    antiPhishingKey: CALLBACK_KEY,
    backofficeKey: `0000-0000-0000-000${number % 3}`,
  };
}

/** The credentials of a channel at EuPago. Half of the channels share a client and therefore a payment list. */
export function channel(number: number): EupagoCredentials {
  const apiKey = `channel-${number}`;
  return {
    apiKey,
    clientId: `client-${number % 2}`,
    clientSecret: 'secret',
    webhookKey: apiKey.padEnd(WEBHOOK_KEY_BYTES, 'w'),
  };
}

export function channelOf(apiKey: string): EupagoCredentials {
  return channel(numberOf(apiKey));
}

export function accountOf(acquirer: Acquirer, methodKey: string): TrueAccount {
  const number = numberOf(methodKey);
  const listKey = acquirer === 'eupago' ? channel(number).clientId : contract(number).backofficeKey;
  return { acquirer, methodKey, listKey };
}

function numberOf(methodKey: string): number {
  return Number(methodKey.replace(/\D+/, ''));
}

/** The second acquirer: its accounts, and the routes of the merchants. */
export class SecondAcquirer extends Part {
  /** The account to which an attempt falls back, by attempt; null without a fallback, or after it was used. */
  readonly fallbacks = new Map<string, string | null>();

  async setUp({ deps }: Service): Promise<void> {
    const { scenario, shops } = this.world;
    if (!scenario.secondAcquirer) return;
    await setBankAccount(deps, { ...EUPAGO, merchantId: null, credentials: channel(DEFAULT_CHANNEL) });
    const owner = shops.at(-1)?.id;
    if (owner !== undefined && this.prng.chance(0.3))
      await setBankAccount(deps, { ...EUPAGO, merchantId: owner, credentials: channel(OWN_CHANNEL) });
    for (const { id } of shops)
      for (const method of METHODS) await setRoute(deps, id, method, this.prng.pick(ROUTES));
  }

  randomAction(): void {
    const prng = this.prng;
    const { shops, operator } = this.world;
    const shop = prng.pick(shops).id;
    if (prng.chance(0.8)) {
      const [method, route] = [prng.pick(METHODS), prng.pick(ROUTES)];
      operator.run('route', ({ deps }) => setRoute(deps, shop, method, route));
    } else {
      const merchantId = prng.chance(0.5) ? shop : null;
      const credentials = channel(prng.int(10, 999_999));
      operator.run('EuPago account', ({ deps }) =>
        setBankAccount(deps, { ...EUPAGO, merchantId, credentials }),
      );
    }
  }
}
