import { lazy } from 'react';

type Load = () => Promise<{ default: () => React.ReactNode }>;

/** A page whose code is loaded on first use or by `preload`. */
function page(load: Load) {
  return Object.assign(lazy(load), { preload: () => void load().catch(() => undefined) });
}

/** Each page is a separate chunk. */
export const PAGES = {
  overview: page(() => import('../pages/overview/page.tsx')),
  transactions: page(() => import('../pages/transactions/page.tsx')),
  transaction: page(() => import('../pages/transaction/page.tsx')),
  settlement: page(() => import('../pages/settlement/page.tsx')),
  exceptions: page(() => import('../pages/exceptions/page.tsx')),
  refunds: page(() => import('../pages/refunds/page.tsx')),
  paymentLinks: page(() => import('../pages/payment-links/page.tsx')),
  developers: page(() => import('../pages/developers/page.tsx')),
  webhook: page(() => import('../pages/webhook/page.tsx')),
  domains: page(() => import('../pages/domains/page.tsx')),
  methods: page(() => import('../pages/methods/page.tsx')),
  team: page(() => import('../pages/team/page.tsx')),
  merchants: page(() => import('../pages/merchants/page.tsx')),
  people: page(() => import('../pages/people/page.tsx')),
  review: page(() => import('../pages/review/page.tsx')),
  leads: page(() => import('../pages/leads/page.tsx')),
  system: page(() => import('../pages/system/page.tsx')),
  audit: page(() => import('../pages/audit/page.tsx')),
  account: page(() => import('../pages/account/page.tsx')),
  signIn: page(() => import('../pages/sign-in/page.tsx')),
  link: page(() => import('../pages/link/page.tsx')),
};

export type PageName = keyof typeof PAGES;
