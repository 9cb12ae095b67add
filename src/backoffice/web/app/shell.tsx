import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { TbMenu2 } from 'react-icons/tb';
import { useLocation } from 'wouter';
import { isFault } from '../lib/faults.ts';
import { texts, useLanguage } from '../lib/i18n.ts';
import { type AtMerchant, MerchantContext, useMaybeMerchant, useSession } from '../lib/session.ts';
import { trpc } from '../lib/trpc.ts';
import { Failed } from '../ui/loaded.tsx';
import { PageSkeleton } from '../ui/page.tsx';
import { usePhone } from '../ui/phone.ts';
import { useChange } from '../ui/use-change.ts';
import { BankNotices } from './bank-notices.tsx';
import { Boundary } from './boundary.tsx';
import { Connection } from './connection.tsx';
import { lastMerchant, rememberMerchant } from './last-merchant.ts';
import { Navigation } from './navigation.tsx';
import { NotFound } from './not-found.tsx';
import css from './shell.module.css';
import { TestMoney } from './test-money.tsx';

const TEXTS = texts({
  skip: ['Skip to content', 'Saltar para o conteúdo'],
  menu: ['Open the menu', 'Abrir o menu'],
  deactivated: ['This merchant is deactivated', 'Este comerciante está desativado'],
  deactivatedText: [
    'The API keys do not work and no new payment can be started. Payments already started are still received.',
    'As chaves de API não funcionam e não é possível iniciar pagamentos. Os pagamentos já iniciados continuam a ser recebidos.',
  ],
  askOperator: [
    'To find out why and to be reactivated, contact the company that runs this service.',
    'Para saber o motivo e pedir a reativação, contacte a empresa que gere este serviço.',
  ],
  operatorMay: ['You can reactivate it under “Merchants”.', 'Pode reativá-lo em «Comerciantes».'],
  zone: ['Times in Lisbon time', 'Hora de Lisboa'],
  version: [(v: string) => `Version ${v}`, (v) => `Versão ${v}`],
});

/** Loaded on phones only. */
const PhoneMenu = lazy(() => import('./phone-menu.tsx'));

interface Props {
  /** The merchant of the page; undefined on account and operator pages. */
  readonly merchantId?: string;
  readonly children: ReactNode;
}

/** The application frame: banner, navigation (behind a button on a phone) and page. */
export function Shell({ merchantId, children }: Props) {
  useMailLanguage();
  const { merchant, problem } = useFrameMerchant(merchantId);
  const { sandbox, user, version } = useSession();
  const [location] = useLocation();
  const content = problem ?? (merchantId !== undefined && merchant === null ? <PageSkeleton /> : children);
  return (
    <MerchantContext value={merchant}>
      <div className={sandbox ? `${css.outer} ${css.withBanner}` : css.outer}>
        <a href="#content" className={css.skip}>
          {TEXTS.skip}
        </a>
        <TestMoney />
        <Connection />
        <div className={css.frame}>
          <Side />
          <main id="content" tabIndex={-1} className={css.main}>
            {merchant?.active === false && <Deactivated operator={merchant.operator} />}
            {user?.operator === true && merchantId === undefined && <BankNotices />}
            <Boundary key={location}>
              <Suspense fallback={<PageSkeleton />}>{content}</Suspense>
            </Boundary>
            <footer className={css.foot}>
              <span>{TEXTS.zone}</span>
              <span>{TEXTS.version(version)}</span>
            </footer>
          </main>
        </div>
      </div>
    </MerchantContext>
  );
}

function Side() {
  const merchant = useMaybeMerchant();
  const phone = usePhone();
  const [opened, setOpened] = useState(false);
  const burger = useRef<HTMLButtonElement>(null);
  const [location] = useLocation();
  useEffect(() => {
    if (location !== '') setOpened(false);
  }, [location]);
  if (!phone) {
    return (
      <div className={css.side}>
        <Navigation />
      </div>
    );
  }
  return (
    <div className={css.bar}>
      <button
        ref={burger}
        type="button"
        className={css.burger}
        aria-label={TEXTS.menu}
        onClick={() => setOpened(true)}
      >
        <TbMenu2 size={22} aria-hidden />
      </button>
      <Text span truncate fw={620}>
        {merchant?.name ?? TEXTS.product}
      </Text>
      <Suspense>
        <PhoneMenu
          opened={opened}
          onClose={() => {
            setOpened(false);
            burger.current?.focus();
          }}
        />
      </Suspense>
    </div>
  );
}

function Deactivated({ operator }: { readonly operator: boolean }) {
  return (
    <div className={css.deactivated} role="note">
      <strong>{TEXTS.deactivated}</strong>
      <span>
        {TEXTS.deactivatedText} {operator ? TEXTS.operatorMay : TEXTS.askOperator}
      </span>
    </div>
  );
}

/** Returns the merchant of the URL, from the session or, for an operator, from the server. */
function useFrameMerchant(named: string | undefined): {
  merchant: AtMerchant | null;
  problem: ReactNode;
} {
  const { user, memberships } = useSession();
  // Pages without a merchant link back to the only or last merchant.
  const merchantId = named ?? lastMerchant(memberships);
  const listed = memberships.find((membership) => membership.merchantId === merchantId);
  const asked = useQuery(
    trpc.session.merchant.queryOptions(
      { merchantId: merchantId ?? '' },
      { enabled: merchantId !== undefined && listed === undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const merchant =
    merchantId === undefined
      ? null
      : listed !== undefined
        ? { ...listed, operator: user?.operator === true }
        : (asked.data ?? null);
  const known = merchant?.merchantId;
  useEffect(() => {
    if (known !== undefined) rememberMerchant(known);
  }, [known]);
  if (merchantId === undefined || merchant !== null || asked.error === null)
    return { merchant, problem: null };
  const problem = isFault(asked.error, 'NOT_FOUND') ? (
    <NotFound />
  ) : (
    <Failed error={asked.error} onAgain={asked.refetch} />
  );
  return { merchant, problem };
}

/** Sets the language of the user's mails to that of the pages. */
function useMailLanguage(): void {
  const { language } = useLanguage();
  const { user } = useSession();
  const { mutate } = useChange(trpc.account.setLanguage, { also: ['session'] });
  const differs = user !== null && user.language !== language;
  useEffect(() => {
    if (differs) mutate({ language });
  }, [differs, language, mutate]);
}
