import { Text } from '@mantine/core';
import { Link, Redirect } from 'wouter';
import { texts } from '../lib/i18n.ts';
import { useSession } from '../lib/session.ts';
import { Empty } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { lastMerchant } from './last-merchant.ts';
import css from './shell.module.css';
import { Shell } from './shell.tsx';

const TEXTS = texts({
  title: ['Your merchants', 'Os seus comerciantes'],
  none: ['No merchant yet', 'Ainda sem comerciante'],
  noneText: [
    (email: string) =>
      `Your account ${email} does not belong to a merchant yet. Ask an owner to invite you, or contact us.`,
    (email) =>
      `A sua conta ${email} ainda não pertence a nenhum comerciante. Peça um convite a um proprietário ou fale connosco.`,
  ],
});

/** The start page: merchants for an operator; otherwise the only or last merchant, or a choice. */
export function Landing() {
  const { user, memberships } = useSession();
  if (user?.operator === true) return <Redirect to="/operator/merchants" replace />;
  const last = lastMerchant(memberships);
  if (last !== undefined) return <Redirect to={`/m/${last}`} replace />;
  return (
    <Shell>
      <Page title={TEXTS.title}>
        {memberships.length === 0 ? (
          <Empty title={TEXTS.none}>{TEXTS.noneText(user?.email ?? '')}</Empty>
        ) : (
          <MerchantCards />
        )}
      </Page>
    </Shell>
  );
}

/** A choice among the user's merchants. */
function MerchantCards() {
  const { memberships } = useSession();
  return (
    <ul className={css.choices}>
      {memberships.map(({ merchantId, name, role }) => (
        <li key={merchantId}>
          <Link href={`/m/${merchantId}`} className={css.choice}>
            <Text span fz="1.1rem" fw={640}>
              {name}
            </Text>
            <StateBadge state={role} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
