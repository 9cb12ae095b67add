import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc.ts';

/** Reloads the account, and the session, which states what second factors the user has. */
export function useRefresh() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries(trpc.account.pathFilter()),
      queries.invalidateQueries(trpc.session.current.pathFilter()),
    ]);
}
