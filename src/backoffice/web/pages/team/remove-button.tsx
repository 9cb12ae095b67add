import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

interface Props {
  readonly member: { readonly userId: string; readonly email: string };
}

/** Removes a member after a confirmation. */
export function RemoveButton({ member }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { email, userId } = member;
  const remove = useChange((trpc) => trpc.team.remove, { done: words.removed(email) });
  return (
    <Confirm
      title={words.removeTitle(email)}
      confirmLabel={words.remove}
      danger
      onConfirm={() => remove.mutateAsync({ merchantId, userId })}
      trigger={<SmallButton aria-label={words.removeOf(email)}>{words.remove}</SmallButton>}
    >
      {words.removeText}
    </Confirm>
  );
}
