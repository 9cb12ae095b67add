import { createIfthenpay } from '../banks/ifthenpay/adapter.ts';
import { BankUnavailable } from '../banks/port.ts';
import { registerCallbacks } from '../banks/register-callbacks.ts';
import { setBankAccount } from '../banks/set-account.ts';
import type { Settings } from '../config.ts';
import { noMetrics } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Run } from './command.ts';
import { httpUrl, ownUrl } from './own-url.ts';
import { readJson } from './read-json.ts';

const CREDENTIALS_FORM = '{"mbWayKey", "mbKey", "backofficeKey", "antiPhishingKey"}';

export const set: Run = async (deps, input) => {
  const merchantId = input.idOption('mer', 'merchant') ?? null;
  const credentials = await readJson(process.stdin, CREDENTIALS_FORM);
  return { value: await setBankAccount(deps, { merchantId, credentials }) };
};

export const registerCallback: Run = async (deps) => {
  const { settings } = deps;
  const baseUrl = settings.sandboxUrl ?? httpUrl(settings.sandboxHost, settings.sandboxPort);
  const sandbox = settings.bank === 'sandbox';
  const bank = createIfthenpay({ ...deps, metrics: noMetrics }, sandbox ? { baseUrl } : {});
  try {
    const { registered, accountsCount } = await registerCallbacks({ ...deps, bank }, callbackUrl(settings));
    if (accountsCount === 0) {
      throw new OperatorError('no bank credentials are set; give them with "bank set" first');
    }
    return { value: { registered } };
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error;
    throw new OperatorError(`the bank did not confirm the callback: ${error.message}; try again later`);
  } finally {
    await bank.close();
  }
};

/** Where the bank reaches the service. A real bank cannot reach the listener's own address. */
function callbackUrl(settings: Settings): string {
  if (settings.publicUrl === null && settings.bank !== 'sandbox') {
    throw new OperatorError('SERVICE_PUBLIC_URL must be set: it is where the bank calls back');
  }
  return ownUrl(settings);
}
