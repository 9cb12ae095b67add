import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { BackofficeRouter } from '../../router.ts';
import { isFault } from '../lib/faults.ts';

/** Each call goes alone, so that a slow one keeps no other waiting; the header is what no foreign page can send. */
export const trpcClient = createTRPCClient<BackofficeRouter>({
  links: [httpLink({ url: '/backoffice/trpc', headers: { 'x-backoffice': '1' } })],
});

const TRIES_MAX = 2;
const RETRY_MS = 400;

/** What the pages have read. A session that ended has the pages ask again who is there, which leads to the sign-in. */
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
    mutations: { retry: false },
  },
});

function sessionEnded(error: unknown): void {
  if (isFault(error, 'UNAUTHORIZED') || isFault(error, 'PASSWORD_CHANGE'))
    void queryClient.invalidateQueries({ predicate: isSession });
}

/** The query of `lib/session.ts`, known by its path. */
function isSession(query: { queryKey: readonly unknown[] }): boolean {
  const [path] = query.queryKey;
  return Array.isArray(path) && path.join('.') === 'session.current';
}
