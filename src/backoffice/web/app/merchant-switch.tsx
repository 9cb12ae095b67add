import { Skeleton } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { useMaybeMerchant, useSession } from '../lib/session.ts';
import css from './navigation.module.css';

/** Loaded for users with several merchants only. */
const MerchantSelect = lazy(() => import('./merchant-select.tsx'));

/** The current merchant with a switcher; plain text when the user has only one. */
export function MerchantSwitch() {
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
      <span className={css.mark} aria-hidden>
        <IconBuildingStore size={18} stroke={1.8} />
      </span>
      <span className={css.brandName}>{merchant?.name ?? memberships[0]?.name ?? user?.email ?? ''}</span>
    </Link>
  );
}
