import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { SmallButton } from '../../ui/small-button.tsx';
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
  const trpc = useTRPC();
  const queries = useQueryClient();
  const setRole = useMutation(trpc.team.setRole.mutationOptions());
  const next = role === 'owner' ? 'viewer' : 'owner';
  const run = async () => {
    await setRole.mutateAsync({ merchantId, userId, role: next });
    notifyDone(words.changed(email));
    await queries.invalidateQueries(trpc.team.list.pathFilter());
    await queries.invalidateQueries(trpc.session.current.pathFilter());
  };
  return (
    <span className={css.role}>
      {words.roles[role]}
      <Confirm
        title={words.roleTitle[next](email)}
        confirmLabel={words.makeRole[next]}
        danger={email === user?.email}
        onConfirm={run}
        trigger={
          <SmallButton aria-label={`${words.makeRole[next]}: ${email}`}>{words.makeRole[next]}</SmallButton>
        }
      >
        {email === user?.email ? words.ownRoleText : words.roleText[next]}
      </Confirm>
    </span>
  );
}
