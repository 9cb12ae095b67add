import { viewMerchant } from '../merchants/view.ts';
import { exportEvents } from '../webhooks/export-events.ts';
import type { Run } from './command.ts';

export const exportAfter: Run = async (deps, input) => {
  const merchantId = input.id('mer', 0);
  const range = { after: input.whole('after') ?? 0, limit: input.whole('limit') };
  await viewMerchant(deps.db.read, merchantId);
  return { items: exportEvents(deps, merchantId, range) };
};
