import { z } from 'zod';
import { EUPAGO_KEYS } from '../../kernel/acquirer.ts';
import type { AcquirerProfile } from '../port.ts';

/** The hosts that the service calls over https (port 443), for the adapter, the command line and the guide. */
export const HOSTS = {
  all: {
    host: 'clientes.eupago.pt',
    purpose: 'pushes, references, inquiries, the payment list and refunds',
  },
} as const;

const MIN_CENTS = 100;

const text = (rule: string, isValid: (value: string) => boolean) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is missing' : rule) })
    .refine(isValid, rule);
const key = text('must have 1 to 200 printable characters without spaces', (value) =>
  EUPAGO_KEYS.printable.test(value),
);

const members = {
  apiKey: key,
  /** Of the management API. */
  clientId: key,
  clientSecret: key,
  /** Signs notifications, and encrypts them if the account has encryption enabled. */
  webhookKey: text(
    `must have exactly ${EUPAGO_KEYS.webhookBytes} bytes in UTF-8`,
    (value) => Buffer.byteLength(value) === EUPAGO_KEYS.webhookBytes,
  ),
};
const credentials = z.object(members, `must be a JSON object with ${Object.keys(members).join(', ')}`);

export type EupagoCredentials = z.infer<typeof credentials>;

export const EUPAGO: AcquirerProfile<EupagoCredentials> = {
  credentials,
  sandboxCredentials: (randomText) => ({
    apiKey: Array.from({ length: 5 }, () => randomText(4)).join('-'),
    clientId: randomText(20),
    clientSecret: randomText(40),
    webhookKey: randomText(EUPAGO_KEYS.webhookBytes),
  }),
  isSameContract: (a, b) => a.apiKey === b.apiKey,
  // No row of the list names the account's key.
  methodKeys: () => [],
  listKey: ({ clientId }) => clientId,
  notificationKey: ({ webhookKey }) => webhookKey,
  hosts: Object.values(HOSTS),
  hasCompleteList: false,
  callbacksByHand:
    'In the back office of EuPago, in the settings of the channel: choose Webhooks 2.0 with this URL, all methods and all states, and copy its key to the member webhookKey of the credentials.',
  limits: { MBWAY: { minCents: MIN_CENTS }, REFERENCE: { minCents: MIN_CENTS } },
};
