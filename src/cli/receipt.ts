import { listReceipts, RECEIPT_PAGE_MAX } from '../payments/list-receipts.ts';
import type { Run } from './command.ts';

const RECEIPTS_LIMIT = 100;

export const list: Run = async (deps, input) => ({
  value: await listReceipts(deps, {
    flag: input.text('flag'),
    ...input.page({ limit: RECEIPTS_LIMIT, limitMax: RECEIPT_PAGE_MAX }),
  }),
});
