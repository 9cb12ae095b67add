import type { BankCalls } from '../calls.ts';
import { BankUnavailable } from '../port.ts';
import type { EupagoCredentials } from './profile.ts';

/** Opens or changes the account at the sandbox. At EuPago itself, a person does that. Throws BankUnavailable. */
export function registerAtSandbox(
  ask: BankCalls['ask'],
  sandboxUrl: string,
  credentials: EupagoCredentials,
  callbackUrl: string,
): Promise<void> {
  const json = { acquirer: 'eupago', ...credentials, callbackUrl };
  return ask(
    'register-callback',
    { method: 'POST', url: `${sandboxUrl}/control/accounts`, json },
    ({ status }) => {
      if (status !== 200) throw new BankUnavailable(`register-callback: HTTP ${status} at the sandbox`);
    },
  );
}
