import { isIP } from 'node:net';
import { classifyAddress, mayConnect } from '../../kernel/address.ts';
import type { Resolve } from '../transport/resolve.ts';

/**
 * Whether the host of a webhook URL has an address and all that it has may be called, judged as the guard judges them when a
 * delivery connects. False also when nobody could say: who asks must not learn which of the three it was.
 */
export async function mayDeliverTo(
  resolve: Resolve,
  url: string,
  options: { allowPrivateNetworks: boolean },
): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const answers = isIP(host) === 0 ? await resolve(host).catch(() => []) : [{ address: host }];
  return (
    answers.length > 0 &&
    answers.every(({ address }) => mayConnect(classifyAddress(address), options.allowPrivateNetworks))
  );
}
