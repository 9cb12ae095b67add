import type { Readable } from 'node:stream';
import type { Bank } from '../../banks/port.ts';
import type { Settings } from '../../config.ts';
import { ACQUIRERS, type Acquirer } from '../../kernel/acquirer.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Command } from '../command.ts';
import { type CliDeps, httpUrl, ownUrl } from '../open.ts';

const INPUT_BYTES_MAX = 64 * 1024;
const CREDENTIALS: Readonly<Record<Acquirer, string>> = {
  ifthenpay: '{"mbWayKey", "mbKey", "backofficeKey", "antiPhishingKey"}',
  eupago: '{"apiKey", "clientId", "clientSecret", "webhookKey"}',
};

export const BANK: readonly Command[] = [
  {
    name: 'bank set',
    usage: '[--merchant ID] [--acquirer A] < credentials.json',
    summary: `Stores credentials at an acquirer from standard input; without any, opens an account at the sandbox. ${ACQUIRERS.map((acquirer) => `${acquirer}: ${CREDENTIALS[acquirer]}`).join('; ')}.`,
    async run(input, cli) {
      const { setBank } = await import('../../banks/set-account.ts');
      const merchantId = input.idOption('mer', 'merchant') ?? null;
      const acquirer = input.choice('acquirer', ACQUIRERS);
      const deps = await cli.open({ create: true });
      const credentials = await readCredentials(process.stdin, deps, acquirer ?? deps.settings.acquirer);
      const account = { merchantId, acquirer, credentials };
      return { value: await withBank(deps, (bankDeps) => setBank(bankDeps, account)) };
    },
  },
  {
    name: 'bank list',
    usage: '',
    summary: 'Lists the bank accounts, including replaced ones, without their credentials.',
    async run(_input, cli) {
      const { listAccounts } = await import('../../banks/accounts.ts');
      return { value: await listAccounts(await cli.open()) };
    },
  },
  {
    name: 'bank route',
    usage: 'ID [--method mbway|multibanco --acquirer A [--fallback B]]',
    summary:
      'Shows the routes of a merchant, or routes one method to an acquirer, with or without a fallback.',
    async run(input, cli) {
      const { setRoute, showRoutes } = await import('../../banks/routes.ts');
      const merchantId = input.id('mer', 0);
      const method = input.choice('method', ['mbway', 'multibanco'] as const);
      const acquirer = input.choice('acquirer', ACQUIRERS);
      const fallback = input.choice('fallback', ACQUIRERS) ?? null;
      if (method === undefined) {
        if (acquirer !== undefined || fallback !== null) throw input.wrong('--method is missing');
        return { value: await showRoutes(await cli.open(), merchantId) };
      }
      if (acquirer === undefined) throw input.wrong('--acquirer is missing');
      const routed = { mbway: 'MBWAY', multibanco: 'REFERENCE' } as const;
      return { value: await setRoute(await cli.open(), merchantId, routed[method], { acquirer, fallback }) };
    },
  },
  {
    name: 'bank hosts',
    usage: '',
    summary: 'Lists the hosts that the service calls at each bank over https, for firewall rules.',
    async run() {
      const { profileOf } = await import('../../banks/acquirers.ts');
      const entries = ACQUIRERS.flatMap((bank) =>
        profileOf(bank).hosts.map((entry) => ({ bank, port: 443, ...entry })),
      );
      return { value: entries };
    },
  },
  {
    name: 'bank register-callback',
    usage: '',
    summary: 'Registers the callback URL under SERVICE_PUBLIC_URL with the bank.',
    async run(_input, cli) {
      const { BankUnavailable } = await import('../../banks/port.ts');
      const { registerCallbacks } = await import('../../banks/register-callbacks.ts');
      const deps = await cli.open();
      const url = callbackUrl(deps.settings);
      const { registered, byHand } = await withBank(deps, (bankDeps) =>
        registerCallbacks(bankDeps, url),
      ).catch((error: unknown) => {
        if (!(error instanceof BankUnavailable)) throw error;
        throw new OperatorError(
          `the bank did not confirm the callback URL: ${error.message}; check the credentials of the account, or try again later`,
        );
      });
      if (registered === null && byHand.length === 0) {
        throw new OperatorError('no bank credentials are set; set them with "bank set" first');
      }
      return { value: byHand.length === 0 ? { registered } : { registered, byHand } };
    },
  },
];

async function withBank<T>(deps: CliDeps, work: (deps: CliDeps & { bank: Bank }) => Promise<T>): Promise<T> {
  const { createBank } = await import('../../banks/bank.ts');
  const { noMetrics } = await import('../../deps.ts');
  const { settings } = deps;
  const ownSandbox = settings.sandboxUrl ?? httpUrl(settings.sandboxHost, settings.sandboxPort);
  const sandboxUrl = settings.bank === 'sandbox' ? ownSandbox : null;
  const bank = createBank(
    { ...deps, metrics: noMetrics },
    { sandboxUrl, acquirerUrls: settings.acquirerUrls },
  );
  try {
    return await work({ ...deps, bank });
  } finally {
    await bank.close();
  }
}

/** A real bank cannot reach the address that the service listens on. */
function callbackUrl(settings: Settings): string {
  if (settings.publicUrl === null && settings.bank !== 'sandbox') {
    throw new OperatorError(
      'SERVICE_PUBLIC_URL is not set; set it to the address where the bank reaches this service',
    );
  }
  return ownUrl(settings);
}

/** Reads credentials as JSON from `input`. With the sandbox, an empty input stands for new ones. */
async function readCredentials(
  input: Readable & { isTTY?: boolean },
  { settings, random }: Pick<CliDeps, 'settings' | 'random'>,
  acquirer: Acquirer,
): Promise<unknown> {
  const isSandbox = settings.bank === 'sandbox';
  const text = isSandbox && input.isTTY === true ? '' : await readText(input);
  if (isSandbox && text.trim() === '') {
    const { sandboxCredentials } = await import('../../banks/accounts.ts');
    return sandboxCredentials(random, acquirer);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError(`standard input is not valid JSON; it must be ${CREDENTIALS[acquirer]}`);
  }
}

/** Reads at most 64 KiB. Throws OperatorError, which never repeats the input: it can hold credentials. */
async function readText(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX)
      throw new OperatorError(`standard input is larger than ${INPUT_BYTES_MAX} bytes`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}
