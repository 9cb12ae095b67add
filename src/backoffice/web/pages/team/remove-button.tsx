import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { SmallButton } from '../../ui/small-button.tsx';
import { TEXTS } from './texts.ts';

interface Props {
  readonly member: { readonly userId: string; readonly email: string };
}

/** Removes a member after a confirmation. */
export function RemoveButton({ member }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const remove = useMutation(trpc.team.remove.mutationOptions());
  const { email, userId } = member;
  const run = async () => {
    await remove.mutateAsync({ merchantId, userId });
    notifyDone(words.removed(email));
    await queries.invalidateQueries(trpc.team.list.pathFilter());
  };
  return (
    <Confirm
      title={words.removeTitle(email)}
      confirmLabel={words.remove}
      danger
      onConfirm={run}
      trigger={<SmallButton aria-label={words.removeOf(email)}>{words.remove}</SmallButton>}
    >
      {words.removeText}
    </Confirm>
  );
}
