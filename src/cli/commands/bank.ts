import type { Readable } from 'node:stream';
import type { Settings } from '../../config.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { type Command, TEXT } from '../command.ts';
import { httpUrl, ownUrl } from '../open.ts';

const INPUT_BYTES_MAX = 64 * 1024;

export const BANK: readonly Command[] = [
  {
    name: 'bank set',
    usage: '[--merchant ID] < credentials.json',
    summary:
      'Stores bank credentials from standard input: {"mbWayKey", "mbKey", "backofficeKey", "antiPhishingKey"}.',
    options: { merchant: TEXT },
    async run(input, cli) {
      const { setBankAccount } = await import('../../banks/set-account.ts');
      const merchantId = input.idOption('mer', 'merchant') ?? null;
      const deps = await cli.open();
      const credentials = await readJson(
        process.stdin,
        '{"mbWayKey", "mbKey", "backofficeKey", "antiPhishingKey"}',
      );
      return { value: await setBankAccount(deps, { merchantId, credentials }) };
    },
  },
  {
    name: 'bank hosts',
    usage: '',
    summary: 'Lists the hosts that the service calls at each bank over https, for the rules of a firewall.',
    async run() {
      const { HOSTS } = await import('../../banks/ifthenpay/hosts.ts');
      return { value: Object.values(HOSTS).map((entry) => ({ bank: 'ifthenpay', port: 443, ...entry })) };
    },
  },
  {
    name: 'bank register-callback',
    usage: '',
    summary: 'Registers the callback URL under SERVICE_PUBLIC_URL with the bank.',
    async run(_input, cli) {
      const { createIfthenpay } = await import('../../banks/ifthenpay/adapter.ts');
      const { BankUnavailable } = await import('../../banks/port.ts');
      const { registerCallbacks } = await import('../../banks/register-callbacks.ts');
      const { noMetrics } = await import('../../deps.ts');
      const deps = await cli.open();
      const { settings } = deps;
      const baseUrl = settings.sandboxUrl ?? httpUrl(settings.sandboxHost, settings.sandboxPort);
      const options = settings.bank === 'sandbox' ? { baseUrl } : {};
      const bank = createIfthenpay({ ...deps, metrics: noMetrics }, options);
      try {
        const { registered, accountsCount } = await registerCallbacks(
          { ...deps, bank },
          callbackUrl(settings),
        );
        if (accountsCount > 0) return { value: { registered } };
        throw new OperatorError('no bank credentials are set; set them with "bank set" first');
      } catch (error) {
        if (!(error instanceof BankUnavailable)) throw error;
        throw new OperatorError(
          `the bank did not confirm the callback URL: ${error.message}; try again later`,
        );
      } finally {
        await bank.close();
      }
    },
  },
];

/** A real bank cannot reach the address that the service listens on. */
function callbackUrl(settings: Settings): string {
  if (settings.publicUrl === null && settings.bank !== 'sandbox') {
    throw new OperatorError(
      'SERVICE_PUBLIC_URL is not set; set it to the address where the bank reaches this service',
    );
  }
  return ownUrl(settings);
}

/** Reads a JSON value of at most 64 KiB from `input`. Throws OperatorError, which never repeats the input: it can hold credentials. */
async function readJson(input: Readable, form: string): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) {
      throw new OperatorError(`standard input is larger than ${INPUT_BYTES_MAX} bytes; it must be ${form}`);
    }
    chunks.push(Buffer.from(chunk));
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new OperatorError(`standard input is not valid JSON; it must be ${form}`);
  }
}
