import { Link } from 'wouter';
import { StateBadge } from '../ui/state-badge.tsx';
import css from './shell.module.css';

interface Props {
  readonly memberships: readonly {
    readonly merchantId: string;
    readonly name: string;
    readonly role: string;
  }[];
}

/** A choice among the user's merchants. */
export function MerchantCards({ memberships }: Props) {
  return (
    <ul className={css.choices}>
      {memberships.map(({ merchantId, name, role }) => (
        <li key={merchantId}>
          <Link href={`/m/${merchantId}`} className={css.choice}>
            <span className={css.choiceName}>{name}</span>
            <StateBadge state={role} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
