import { leadsCsv } from '../leads/csv.ts';
import { LEADS_LIMIT_MAX, listLeads } from '../leads/list.ts';
import { viewMerchant } from '../merchants/view.ts';
import type { Run } from './command.ts';

const LEADS_LIMIT = 100;

export const list: Run = async (deps, input) => {
  const merchantId = input.idOption('mer', 'merchant');
  if (merchantId === undefined) throw input.wrong('--merchant is missing');
  const page = input.page({ limit: LEADS_LIMIT, limitMax: LEADS_LIMIT_MAX });
  const csv = input.on('csv');
  if (csv && (input.text('limit') ?? input.text('after')) !== undefined) {
    throw input.wrong('--csv writes all leads, without --limit and --after');
  }
  await viewMerchant(deps.db.read, merchantId);
  if (csv) return { stream: leadsCsv(deps, merchantId) };
  return { value: await listLeads(deps, { merchantId, ...page }) };
};
