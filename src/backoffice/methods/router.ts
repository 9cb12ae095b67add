import type { Deps } from '../../deps.ts';
import { AMOUNT_MAX_CENTS } from '../../kernel/money.ts';
import { listMethods } from '../../payments/methods.ts';
import { createRouter, viewer } from '../rpc.ts';

export const methodsRouter = createRouter({
  list: viewer.query(({ ctx }) => methodLimits(ctx.deps)),
});

/** The payment methods of the API with the limits of each; null where a limit does not apply. */
function methodLimits({ settings }: Pick<Deps, 'settings'>) {
  return listMethods().methods.map(({ id, active }) => ({
    id,
    active,
    minCents: active ? 1 : null,
    maxCents: active ? (id === 'MBWAY' ? settings.mbwayMaxCents : AMOUNT_MAX_CENTS) : null,
    /** The time that the customer has to confirm an MB WAY payment. */
    windowMs: id === 'MBWAY' ? settings.mbwayWindowMs : null,
    /** The days after today on which a Multibanco reference can be paid. */
    days: id === 'REFERENCE' ? settings.multibancoDays : null,
  }));
}
