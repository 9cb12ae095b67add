import { profileOf } from '../../banks/acquirers.ts';
import { showRoutes } from '../../banks/routes.ts';
import { AMOUNT_MAX_CENTS } from '../../kernel/money.ts';
import { listMethods } from '../../payments/methods.ts';
import type { MerchantContext } from '../context.ts';
import { createRouter, viewer } from '../rpc.ts';

export const methodsRouter = createRouter({
  list: viewer.query(({ ctx }) => methodLimits(ctx)),
});

/** The payment methods of the API with their limits for this merchant; null where a limit does not apply. */
async function methodLimits({ deps, merchantId }: MerchantContext) {
  const { settings } = deps;
  const { mbway, multibanco } = await showRoutes(deps, merchantId);
  const limits = {
    MBWAY: profileOf(mbway.acquirer).limits.MBWAY,
    REFERENCE: profileOf(multibanco.acquirer).limits.REFERENCE,
    CARD: { minCents: null },
  };
  return listMethods().methods.map(({ id, active }) => ({
    id,
    active,
    minCents: limits[id].minCents,
    maxCents: active ? (id === 'MBWAY' ? settings.mbwayMaxCents : AMOUNT_MAX_CENTS) : null,
    /** The time that the customer has to confirm an MB WAY payment. */
    windowMs: id === 'MBWAY' ? settings.mbwayWindowMs : null,
    /** The days after today on which a Multibanco reference can be paid. */
    days: id === 'REFERENCE' ? settings.multibancoDays : null,
  }));
}
