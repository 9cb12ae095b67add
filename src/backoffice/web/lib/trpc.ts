import {
  type InvalidateOptions,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { BackofficeRouter } from '../../router.ts';
import { isFault } from './faults.ts';
import { heldCallsLink } from './held-calls.ts';

export type RouterInputs = inferRouterInputs<BackofficeRouter>;
export type RouterOutputs = inferRouterOutputs<BackofficeRouter>;

/** Calls are not batched, so a slow one delays no other. The custom header prevents cross-site requests. */
const client = createTRPCClient<BackofficeRouter>({
  links: [
    heldCallsLink(signedInBefore),
    httpLink({
      url: '/backoffice/trpc',
      // The second header marks the polling of a page left open, which does not extend the session.
      headers: () => ({ 'x-backoffice': '1', ...(!isInUse() && { 'x-backoffice-poll': '1' }) }),
    }),
  ],
});

/** A button then shows its pending call before the second click of a double click. The default is a task later. */
notifyManager.setScheduler(queueMicrotask);

const TRIES_MAX = 2;
const RETRY_MS = 400;

/** The query cache. When a session ends, the session query is invalidated, which leads to the sign-in page. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: sessionEnded }),
  mutationCache: new MutationCache({ onError: sessionEnded }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retryDelay: (failures) => RETRY_MS * 2 ** failures,
      retry: (failures, error) =>
        failures < TRIES_MAX && (isFault(error, 'OFFLINE') || isFault(error, 'INTERNAL_ERROR')),
    },
    // The default holds a change without a connection and sends it later, which the user does not expect of a refund.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Query and mutation options for every procedure of the server. */
export const trpc = createTRPCOptionsProxy<BackofficeRouter>({ client, queryClient });

/** The codes after which a session gives no access until the sign-in page was visited. */
const ENDING = ['UNAUTHORIZED', 'PASSWORD_CHANGE', 'SECOND_FACTOR'];

function sessionEnded(error: unknown): void {
  if (ENDING.some((code) => isFault(error, code))) void checkSession();
}

/** Loads the session again; when it has ended, the sign-in page follows. Rejects only with `throwOnError`. */
export function checkSession(options?: InvalidateOptions): Promise<void> {
  return queryClient.invalidateQueries(trpc.session.current.pathFilter(), options);
}

/** Whether a page that needs a session is open. */
function signedInBefore(): boolean {
  const [session] = queryClient.getQueriesData<{ user: unknown }>(trpc.session.current.pathFilter());
  return session?.[1]?.user != null;
}

/** After this long without a click or a key press, calls count as polling by the page and not as the user's. */
const ACTIVE_MS = 60_000;
const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Loading the page counts as activity. */
let lastInputAt = Date.now();
for (const name of EVENTS) {
  window.addEventListener(
    name,
    () => {
      lastInputAt = Date.now();
    },
    { capture: true, passive: true },
  );
}

/** Whether a person has used the page within the last minute. */
function isInUse(): boolean {
  return Date.now() - lastInputAt < ACTIVE_MS;
}
