import { Flex, Group, Loader, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import {
  TbAlertTriangle,
  TbBuildingStore,
  TbCode,
  TbCreditCard,
  TbEyeCheck,
  TbHistory,
  TbLayoutDashboard,
  TbLink,
  TbListDetails,
  TbLogout,
  TbReceiptRefund,
  TbReportMoney,
  TbServer,
  TbUserCircle,
  TbUserCog,
  TbUserSearch,
  TbUsers,
  TbWebhook,
  TbWorld,
} from 'react-icons/tb';
import { Link, useLocation } from 'wouter';
import { COMMON, texts } from '../lib/i18n.ts';
import { useMaybeMerchant, useSession } from '../lib/session.ts';
import { queryClient, trpc } from '../lib/trpc.ts';
import { notifyFault } from '../ui/notify.ts';
import { CasesCount, HeldCount, RefundsCount } from '../ui/waiting-count.tsx';
import css from './navigation.module.css';
import { PAGES, type PageName } from './pages.ts';
import { LanguageSwitch, SchemeSwitch } from './switches.tsx';

const TEXTS = texts({
  merchantPages: ['Merchant pages', 'Páginas do comerciante'],
  operatorPages: ['Operator', 'Operador'],
});

export interface NavigationItem {
  readonly page: PageName & keyof typeof COMMON.pages;
  readonly path: string;
  readonly Icon: typeof TbCode;
}

export const MERCHANT_PAGES: readonly NavigationItem[] = [
  { page: 'overview', path: '', Icon: TbLayoutDashboard },
  { page: 'transactions', path: '/transactions', Icon: TbListDetails },
  { page: 'settlement', path: '/settlement', Icon: TbReportMoney },
  { page: 'exceptions', path: '/exceptions', Icon: TbAlertTriangle },
  { page: 'refunds', path: '/refunds', Icon: TbReceiptRefund },
  { page: 'paymentLinks', path: '/payment-links', Icon: TbLink },
  { page: 'developers', path: '/developers', Icon: TbCode },
  { page: 'webhook', path: '/webhook', Icon: TbWebhook },
  { page: 'domains', path: '/domains', Icon: TbWorld },
  { page: 'methods', path: '/methods', Icon: TbCreditCard },
  { page: 'team', path: '/team', Icon: TbUsers },
  { page: 'audit', path: '/audit', Icon: TbHistory },
];

/** Only owners see the team page and the audit log. */
const FOR_VIEWERS = MERCHANT_PAGES.filter(({ page }) => page !== 'team' && page !== 'audit');

export const OPERATOR_PAGES: readonly NavigationItem[] = [
  { page: 'merchants', path: '/merchants', Icon: TbBuildingStore },
  { page: 'transactions', path: '/transactions', Icon: TbListDetails },
  { page: 'people', path: '/people', Icon: TbUserCog },
  { page: 'review', path: '/review', Icon: TbEyeCheck },
  { page: 'exceptions', path: '/exceptions', Icon: TbAlertTriangle },
  { page: 'refunds', path: '/refunds', Icon: TbReceiptRefund },
  { page: 'leads', path: '/leads', Icon: TbUserSearch },
  { page: 'system', path: '/system', Icon: TbServer },
  { page: 'audit', path: '/audit', Icon: TbHistory },
];

/** The navigation: pages of the current merchant, the operator's pages, the account. */
export function Navigation() {
  const merchant = useMaybeMerchant();
  const { user } = useSession();
  return (
    <Stack gap={18}>
      <MerchantSwitch />
      {merchant !== null && (
        <Flex component="nav" direction="column" gap={2} aria-label={TEXTS.merchantPages}>
          <Items
            items={merchant.role === 'owner' ? MERCHANT_PAGES : FOR_VIEWERS}
            base={`/m/${merchant.merchantId}`}
          />
        </Flex>
      )}
      {user?.operator === true && (
        <Flex component="nav" direction="column" gap={2} aria-label={TEXTS.operatorPages}>
          <Text span px={12} py={4} c="dimmed" fz="0.78rem" fw={600} aria-hidden>
            {TEXTS.operatorPages}
          </Text>
          <Items items={OPERATOR_PAGES} base="/operator" />
        </Flex>
      )}
      <Stack gap={10} mt="auto">
        <Group justify="space-between" gap={4}>
          <LanguageSwitch />
          <SchemeSwitch />
        </Group>
        <AccountMenu />
      </Stack>
    </Stack>
  );
}

function Items({ items, base }: { readonly items: readonly NavigationItem[]; readonly base: string }) {
  const [location] = useLocation();
  return items.map(({ page, path, Icon }) => {
    const href = `${base}${path}`;
    const here = path === '' ? location === href : location === href || location.startsWith(`${href}/`);
    return (
      <Link
        key={page}
        href={href}
        className={css.item}
        {...(here && { 'aria-current': 'page' as const })}
        onMouseEnter={PAGES[page].preload}
        onFocus={PAGES[page].preload}
      >
        <Icon size={19} strokeWidth={1.7} aria-hidden />
        {TEXTS.pages[page]}
        <Waiting page={page} across={base === '/operator'} />
      </Link>
    );
  });
}

/** The counters of pages with open work. */
function Waiting({ page, across }: { readonly page: PageName; readonly across: boolean }) {
  const merchant = useMaybeMerchant();
  if (page === 'review') return <HeldCount />;
  if (page === 'refunds' && across) return <RefundsCount />;
  if (page !== 'exceptions') return null;
  if (across) return <CasesCount merchantId={null} />;
  return merchant === null ? null : <CasesCount merchantId={merchant.merchantId} />;
}

/** Loaded for users with several merchants only. */
const MerchantSelect = lazy(() => import('./merchant-select.tsx'));

/** The current merchant with a switcher; plain text when the user has only one. */
function MerchantSwitch() {
  const merchant = useMaybeMerchant();
  const { user, memberships } = useSession();
  if (user?.operator === true || memberships.length > 1) {
    return (
      <Suspense fallback={<Skeleton height={36} />}>
        <MerchantSelect />
      </Suspense>
    );
  }
  return (
    <Link href="/" className={css.brand}>
      <ThemeIcon component="span" size={34} radius={9} aria-hidden>
        <TbBuildingStore size={18} strokeWidth={1.8} />
      </ThemeIcon>
      <Text span inherit flex={1} miw={0} lh={1.25} lineClamp={2}>
        {merchant?.name ?? memberships[0]?.name ?? user?.email ?? ''}
      </Text>
    </Link>
  );
}

/** The account menu: account page and sign-out. */
function AccountMenu() {
  const { user } = useSession();
  const [location, navigate] = useLocation();
  const leave = () => {
    navigate('/sign-in');
    queryClient.clear();
  };
  const signOut = useMutation(
    trpc.session.signOut.mutationOptions({ onSuccess: leave, onError: notifyFault }),
  );
  return (
    <Group gap={4} align="stretch" wrap="nowrap" pt={12} className="line-above">
      <Link
        href="/account"
        className={css.account}
        onMouseEnter={PAGES.account.preload}
        {...(location === '/account' && { 'aria-current': 'page' as const })}
      >
        <TbUserCircle size={24} strokeWidth={1.5} aria-hidden />
        <Stack component="span" gap={0} miw={0} fw={600}>
          <span>{COMMON.pages.account}</span>
          <Text span truncate c="dimmed" fz="0.8rem" fw={400} lh={1.3}>
            {user?.email}
          </Text>
        </Stack>
      </Link>
      <button
        type="button"
        className={css.out}
        aria-label={COMMON.signOut}
        title={COMMON.signOut}
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        {signOut.isPending ? (
          <Loader size={18} aria-hidden />
        ) : (
          <TbLogout size={18} strokeWidth={1.7} aria-hidden />
        )}
      </button>
    </Group>
  );
}
