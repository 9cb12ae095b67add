import { useTexts } from '../../lib/i18n.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';
import type { Person } from './types.ts';

/** Disables or restores access after a confirmation. */
export function AccessButton({ person: { userId, email, active } }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const set = useChange((trpc) => trpc.users.setActive, {
    done: active ? words.keptOut(email) : words.isIn(email),
  });
  return (
    <Confirm
      title={active ? words.keepOutTitle(email) : words.letInTitle(email)}
      confirmLabel={active ? words.keepOut : words.letIn}
      danger={active}
      onConfirm={() => set.mutateAsync({ userId, active: !active })}
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
