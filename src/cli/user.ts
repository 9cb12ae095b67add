import { createUser } from '../backoffice/people/create-user.ts';
import { resetUser } from '../backoffice/people/reset-user.ts';
import type { Run } from './command.ts';
import { ownUrl } from './own-url.ts';

const ROLES = ['operator', 'owner', 'viewer'] as const;

export const create: Run = async (deps, input) => {
  const email = input.required('email');
  const text = input.required('role');
  const role = ROLES.find((known) => known === text);
  if (role === undefined)
    throw input.wrong(`--role is operator, owner or viewer, not ${JSON.stringify(text)}`);
  const merchantId = input.idOption('mer', 'merchant') ?? null;
  return { value: await createUser(deps, { email, role, merchantId }) };
};

export const reset: Run = async (deps, input) => {
  const { link } = await resetUser(deps, { email: input.required('email') }, { totp: input.on('totp') });
  return { value: { link: ownUrl(deps.settings) + link } };
};
