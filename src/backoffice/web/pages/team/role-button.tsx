import { useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './team.module.css';
import { TEXTS } from './texts.ts';

interface Props {
  readonly member: {
    readonly userId: string;
    readonly email: string;
    readonly role: 'owner' | 'viewer';
  };
}

/** A member's role, and a button that changes it after a confirmation. */
export function RoleButton({ member: { userId, email, role } }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const setRole = useChange((trpc) => trpc.team.setRole, { done: words.changed(email), also: ['session'] });
  const next = role === 'owner' ? 'viewer' : 'owner';
  return (
    <span className={css.role}>
      {words.roles[role]}
      <Confirm
        title={words.roleTitle[next](email)}
        confirmLabel={words.makeRole[next]}
        danger={email === user?.email}
        onConfirm={() => setRole.mutateAsync({ merchantId, userId, role: next })}
        trigger={
          <SmallButton aria-label={`${words.makeRole[next]}: ${email}`}>{words.makeRole[next]}</SmallButton>
        }
      >
        {email === user?.email ? words.ownRoleText : words.roleText[next]}
      </Confirm>
    </span>
  );
}
