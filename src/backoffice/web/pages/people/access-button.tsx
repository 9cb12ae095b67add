import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { SmallButton } from '../../ui/small-button.tsx';
import { TEXTS } from './texts.ts';
import type { Person } from './types.ts';

/** Disables or restores access after a confirmation. */
export function AccessButton({ person: { userId, email, active } }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const set = useMutation(trpc.users.setActive.mutationOptions());
  const run = async () => {
    await set.mutateAsync({ userId, active: !active });
    notifyDone(active ? words.keptOut(email) : words.isIn(email));
    await queries.invalidateQueries(trpc.users.pathFilter());
  };
  return (
    <Confirm
      title={active ? words.keepOutTitle(email) : words.letInTitle(email)}
      confirmLabel={active ? words.keepOut : words.letIn}
      danger={active}
      onConfirm={run}
      trigger={
        <SmallButton aria-label={active ? words.keepOutOf(email) : words.letInOf(email)}>
          {active ? words.keepOut : words.letIn}
        </SmallButton>
      }
    >
      {active ? words.keepOutText : words.letInText}
    </Confirm>
  );
}
