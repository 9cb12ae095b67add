import { Stack } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { COMMON, useTexts } from '../lib/i18n.ts';
import { useSession } from '../lib/session.ts';
import { queryClient, trpc } from '../lib/trpc.ts';
import { notifyFault } from '../ui/notify.ts';
import css from './navigation.module.css';
import { PAGES } from './pages.ts';

/** The account menu: account page and sign-out. */
export function AccountMenu() {
  const words = useTexts(COMMON);
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
    <div className={css.person}>
      <Link
        href="/account"
        className={css.account}
        onMouseEnter={PAGES.account.preload}
        {...(location === '/account' && { 'aria-current': 'page' as const })}
      >
        <IconUserCircle size={24} stroke={1.5} aria-hidden />
        <Stack component="span" gap={0} miw={0} fw={600}>
          <span>{words.pages.account}</span>
          <span className={css.email}>{user?.email}</span>
        </Stack>
      </Link>
      <button
        type="button"
        className={css.out}
        aria-label={words.signOut}
        title={words.signOut}
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        <IconLogout size={18} stroke={1.7} aria-hidden />
      </button>
    </div>
  );
}
