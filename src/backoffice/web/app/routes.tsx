import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { announceArrival } from '../lib/arrival.ts';
import { useSessionQuery } from '../lib/session.ts';
import { Landing } from './landing.tsx';
import { NotFound } from './not-found.tsx';
import { PAGES } from './pages.ts';
import { Shell } from './shell.tsx';
import { Unreachable } from './unreachable.tsx';
import { Waiting } from './waiting.tsx';

const MERCHANT_ROUTES = [
  ['', PAGES.overview],
  ['/transactions', PAGES.transactions],
  ['/transactions/:id', PAGES.transaction],
  ['/exceptions', PAGES.exceptions],
  ['/keys', PAGES.keys],
  ['/webhook', PAGES.webhook],
  ['/domains', PAGES.domains],
  ['/methods', PAGES.methods],
  ['/team', PAGES.team],
] as const;

const OPERATOR_ROUTES = [
  ['/merchants', PAGES.merchants],
  ['/people', PAGES.people],
  ['/review', PAGES.review],
  ['/exceptions', PAGES.exceptions],
  ['/leads', PAGES.leads],
  ['/system', PAGES.system],
  ['/audit', PAGES.audit],
  ['/transactions/:id', PAGES.transaction],
] as const;

/** Which page is shown where. Whoever is not signed in is at the sign-in, or at a link that lets them in. */
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

/** Where somebody signs in, to come back to the present page afterwards. */
function SignedIn() {
  const session = useSessionQuery();
  const [location, navigate] = useLocation();
  const user = session.data?.user;
  const away = session.data !== undefined && (user === null || user?.passwordChange === true);
  useEffect(() => {
    if (!away) return;
    const next = location === '/' ? '' : `?next=${encodeURIComponent(location + window.location.search)}`;
    navigate(`/sign-in${next}`, { replace: true });
  }, [away, location, navigate]);
  if (session.data === undefined && session.error !== null && !session.isFetching)
    return <Unreachable error={session.error} onAgain={() => void session.refetch()} />;
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

interface AreaProps {
  readonly prefix: string;
  readonly routes: readonly (readonly [path: string, Page: ComponentType])[];
}

/** The pages below one prefix; the frame around them stays while they change. */
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

/** Tells the page that comes up that its heading takes the focus, and starts it at its top. */
function useArrivals(): void {
  const [location] = useLocation();
  const before = useRef(location);
  if (before.current !== location) {
    before.current = location;
    announceArrival();
  }
  useEffect(() => {
    if (location !== '') window.scrollTo(0, 0);
  }, [location]);
}
