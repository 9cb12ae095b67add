import { Center, Loader } from '@mantine/core';
import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { announceArrival } from '../lib/arrival.ts';
import { COMMON } from '../lib/i18n.ts';
import { useSessionQuery } from '../lib/session.ts';
import { Landing } from './landing.tsx';
import { MERCHANT_PAGES, type NavigationItem, OPERATOR_PAGES } from './navigation.tsx';
import { NotFound } from './not-found.tsx';
import { OutsideFailure } from './outside.tsx';
import { PAGES } from './pages.ts';
import { useScroll } from './scroll.ts';
import { Shell } from './shell.tsx';

const MERCHANT_ROUTES = routesOf(MERCHANT_PAGES);
const OPERATOR_ROUTES = routesOf(OPERATOR_PAGES);

/** The pages of the navigation, and the page of one transaction. */
function routesOf(items: readonly NavigationItem[]): AreaProps['routes'] {
  const pages = items.map(({ page, path }) => [path, PAGES[page]] as const);
  return [...pages, ['/transactions/:id', PAGES.transaction]];
}

/** The routes. Visitors without a session see the sign-in page or a one-time link. */
export function Routes() {
  useArrivals();
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        <Route path="/link" component={PAGES.link} />
        <Route path="/sign-in" component={PAGES.signIn} />
        <Route>
          <SignedIn />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** The pages of a user; without a session, leads to the sign-in page and back. */
function SignedIn() {
  const session = useSessionQuery();
  const [location, navigate] = useLocation();
  const user = session.data?.user;
  useOnePerson(user?.email);
  const away =
    session.data !== undefined &&
    (user === null || user?.passwordChange === true || user?.factorDue === true);
  useEffect(() => {
    if (!away) return;
    const next = location === '/' ? '' : `?next=${encodeURIComponent(location + window.location.search)}`;
    navigate(`/sign-in${next}`, { replace: true });
  }, [away, location, navigate]);
  if (session.data === undefined && session.error !== null && !session.isFetching)
    return (
      <OutsideFailure title={COMMON.notLoaded} error={session.error} onAgain={() => void session.refetch()} />
    );
  if (session.data === undefined || away) return <Waiting />;
  return (
    <Switch>
      <Route path="/" component={Landing} />
      <Route path="/m/:merchantId/*?">
        {({ merchantId }) => (
          <Shell merchantId={merchantId}>
            <Area prefix="/m/:merchantId" routes={MERCHANT_ROUTES} />
          </Shell>
        )}
      </Route>
      <Route>
        <Shell>
          <Switch>
            <Route path="/account" component={PAGES.account} />
            {user?.operator === true && (
              <Route path="/operator/*?">
                <Area prefix="/operator" routes={OPERATOR_ROUTES} />
              </Route>
            )}
            <Route component={NotFound} />
          </Switch>
        </Shell>
      </Route>
    </Switch>
  );
}

/** Loads the page again when another person has signed in, in another tab: it must show nothing of the first one. */
function useOnePerson(email: string | undefined): void {
  const first = useRef(email);
  useEffect(() => {
    first.current ??= email;
    if (email !== undefined && email !== first.current) window.location.reload();
  }, [email]);
}

interface AreaProps {
  readonly prefix: string;
  readonly routes: readonly (readonly [path: string, Page: ComponentType])[];
}

/** The routes under one prefix; their frame persists across navigation. */
function Area({ prefix, routes }: AreaProps) {
  return (
    <Switch>
      {routes.map(([path, Page]) => (
        <Route key={path} path={`${prefix}${path}`}>
          <Page />
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  );
}

/** Marks a navigation, so that the next page focuses its heading and restores its scroll position. */
function useArrivals(): void {
  const [location] = useLocation();
  const before = useRef(location);
  if (before.current !== location) {
    before.current = location;
    announceArrival();
  }
  useScroll(location);
}

/** Shown while the session is loading. */
function Waiting() {
  return (
    <Center mih="100vh" role="status" aria-label={COMMON.loading}>
      <Loader />
    </Center>
  );
}
