import { ROLES } from '../../db/tables/backoffice.ts';
import type { Command } from '../command.ts';
import { ownUrl } from '../open.ts';

const USER_ROLES = ['operator', ...ROLES] as const;

export const USERS: readonly Command[] = [
  {
    name: 'user create',
    usage: `--email E --role ${USER_ROLES.join('|')} [--merchant ID]`,
    summary:
      'Creates a back office user and shows a password that must be changed at the first sign-in. If email is set up, the user also gets an invitation.',
    async run(input, cli) {
      const { createUser } = await import('../../backoffice/people/create-user.ts');
      const email = input.required('email');
      const role = input.requiredChoice('role', USER_ROLES);
      const merchantId = input.idOption('mer', 'merchant') ?? null;
      return { value: await createUser(await cli.open({ create: true }), { email, role, merchantId }) };
    },
  },
  {
    name: 'user reset',
    usage: '--email E [--totp]',
    summary:
      'Creates a link for setting a new password, valid once within 24 hours. If email is set up, the user gets it. --totp also turns off two-factor authentication and removes passkeys.',
    async run(input, cli) {
      const { resetUser } = await import('../../backoffice/people/reset-user.ts');
      const email = input.required('email');
      const deps = await cli.open();
      const { link } = await resetUser(deps, { email }, { totp: input.on('totp') });
      return { value: { link: ownUrl(deps.settings) + link } };
    },
  },
];
