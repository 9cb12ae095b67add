import type { Command } from './command.ts';
import { BANK } from './commands/bank.ts';
import { INSTALLATION } from './commands/installation.ts';
import { LINKS } from './commands/links.ts';
import { MERCHANTS } from './commands/merchants.ts';
import { PAYMENTS } from './commands/payments.ts';
import { REFUNDS } from './commands/refunds.ts';
import { USERS } from './commands/users.ts';
import { WEBHOOKS } from './commands/webhooks.ts';

export const COMMANDS: readonly Command[] = [
  ...MERCHANTS,
  ...BANK,
  ...WEBHOOKS,
  ...PAYMENTS,
  ...REFUNDS,
  ...LINKS,
  ...USERS,
  ...INSTALLATION,
];
