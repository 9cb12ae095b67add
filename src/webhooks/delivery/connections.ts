import type { Settings } from '../../config.ts';
import type { Resolve } from '../transport/resolve.ts';
import { createTransport, type Transport } from '../transport/transport.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';

const ORIGINS_MAX = 1024;

/** The guarded connections that deliveries leave by, as many to a merchant's endpoint as it may have attempts in flight. */
export function openConnections(
  settings: Pick<Settings, 'webhookAllowPrivateNetworks'>,
  options: { perMerchantMax: number; resolve?: Resolve | undefined; ca?: string | undefined },
): Transport {
  const { perMerchantMax, resolve, ca } = options;
  return createTransport({
    allowPrivateNetworks: settings.webhookAllowPrivateNetworks,
    connectTimeoutMs: ATTEMPT_TIMEOUT_MS,
    connectionsMax: perMerchantMax,
    originsMax: ORIGINS_MAX,
    ...(resolve && { resolve }),
    ...(ca !== undefined && { ca }),
  });
}
