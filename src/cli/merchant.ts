import { createMerchant } from '../merchants/create-merchant.ts';
import { listMerchants } from '../merchants/list-merchants.ts';
import { setMerchant } from '../merchants/set-merchant.ts';
import type { Run } from './command.ts';

const MERCHANTS_LIMIT_MAX = 10_000;

export const create: Run = async (deps, input) => ({
  value: await createMerchant(deps, {
    name: input.required('name'),
    domains: input.many('domain'),
    webhookUrl: input.text('webhook-url'),
  }),
});

export const set: Run = async (deps, input) => ({
  value: await setMerchant(deps, input.id('mer', 0), {
    active: input.truth('active'),
    hold: input.truth('hold'),
    webhookUrl: input.text('webhook-url'),
    webhookEnabled: input.truth('webhook-enabled'),
  }),
});

export const list: Run = async (deps, input) => ({
  value: await listMerchants(deps, input.page({ limit: MERCHANTS_LIMIT_MAX, limitMax: MERCHANTS_LIMIT_MAX })),
});
