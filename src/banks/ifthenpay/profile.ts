import { z } from 'zod';
import { IFTHENPAY_KEYS } from '../../kernel/acquirer.ts';
import type { AcquirerProfile } from '../port.ts';

/** The hosts that the service calls over https (port 443), for the adapter, the command line and the guide. */
export const HOSTS = {
  payments: {
    host: 'api.ifthenpay.com',
    purpose: 'pushes, references, inquiries, the payment list and refunds',
  },
  refunds: {
    host: 'ifthenpay.com',
    purpose: 'refunds, only with SERVICE_IFTHENPAY_REFUND_PATH=/api/endpoint/payments/refund',
  },
  activation: {
    host: 'www.ifthenpay.com',
    purpose: 'the registration of the callback URL',
  },
} as const;

const SANDBOX_KEYS = { mbWayKey: 'SBX-000001', mbKey: 'SBX-000002', backofficeKey: '0000-0000-0000-0001' };
const ANTI_PHISHING_LENGTH = 40;

const text = (pattern: RegExp, rule: string) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is missing' : rule) })
    .regex(pattern, rule);
const methodKey = text(IFTHENPAY_KEYS.method, 'must look like ABC-123456');

const members = {
  mbWayKey: methodKey,
  mbKey: methodKey,
  backofficeKey: text(IFTHENPAY_KEYS.backoffice, 'must look like 0000-0000-0000-0000'),
  antiPhishingKey: text(
    IFTHENPAY_KEYS.antiPhishing,
    'must have 8 to 100 printable characters without spaces, not only zeros',
  ),
};
const credentials = z.object(members, `must be a JSON object with ${Object.keys(members).join(', ')}`);

export type IfthenpayCredentials = z.infer<typeof credentials>;

export const IFTHENPAY: AcquirerProfile<IfthenpayCredentials> = {
  credentials,
  sandboxCredentials: (randomText) => ({
    ...SANDBOX_KEYS,
    antiPhishingKey: randomText(ANTI_PHISHING_LENGTH),
  }),
  isSameContract: (a, b) => a.mbWayKey === b.mbWayKey && a.mbKey === b.mbKey,
  methodKeys: ({ mbWayKey, mbKey }) => [mbWayKey, mbKey],
  listKey: ({ backofficeKey }) => backofficeKey,
  notificationKey: ({ antiPhishingKey }) => antiPhishingKey,
  hosts: Object.values(HOSTS),
  hasCompleteList: true,
  callbacksByHand: null,
  limits: { MBWAY: { minCents: 1 }, REFERENCE: { minCents: 1 } },
};
