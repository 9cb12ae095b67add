import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLanguage } from '../lib/i18n.ts';
import { useSession } from '../lib/session.ts';
import { useTRPC } from '../lib/trpc.ts';

/** Sets the language of the user's mails to that of the pages. */
export function useMailLanguage(): void {
  const { language } = useLanguage();
  const { user } = useSession();
  const trpc = useTRPC();
  const client = useQueryClient();
  const { mutate } = useMutation(
    trpc.account.setLanguage.mutationOptions({
      onSuccess: () => client.invalidateQueries(trpc.session.current.queryFilter()),
    }),
  );
  const differs = user !== null && user.language !== language;
  useEffect(() => {
    if (differs) mutate({ language });
  }, [differs, language, mutate]);
}
