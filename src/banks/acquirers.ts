import type { Settings } from '../config.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import { EUPAGO } from './eupago/profile.ts';
import { IFTHENPAY } from './ifthenpay/profile.ts';
import type { AcquirerProfile } from './port.ts';

export interface AcquirerSetting {
  readonly settings: Pick<Settings, 'acquirer'>;
}

const PROFILES: Readonly<Record<Acquirer, AcquirerProfile>> = { ifthenpay: IFTHENPAY, eupago: EUPAGO };

export function profileOf(acquirer: Acquirer): AcquirerProfile {
  return PROFILES[acquirer];
}
