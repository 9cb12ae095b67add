import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DomainName, domainText } from '../../ui/domain-name.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './domains.module.css';
import { TEXTS } from './texts.ts';
import type { Domain } from './types.ts';

interface Props {
  readonly domain: Domain;
  readonly owner: boolean;
  readonly last: boolean;
}

/** A row of the list. */
export function DomainRow({ domain, owner, last }: Props) {
  const { list: words, remove: label } = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { domain: pattern, names } = domain;
  const name = domainText(pattern, names);
  /** The row shows the ASCII form already. */
  const short = (host: string) => names[host] ?? host;
  const remove = useChange((trpc) => trpc.domains.remove, { done: words.removed(name) });
  return (
    <li className={css.item}>
      <div>
        <strong className={css.name}>
          <DomainName domain={pattern} names={names} />
        </strong>
        <span className={css.hint}>
          {pattern.startsWith('*.')
            ? words.admitsAll(short(pattern.slice(2)))
            : words.admits(
                domain.examples
                  .filter((example) => example.admitted)
                  .map((example) => short(example.host))
                  .join(', '),
              )}
        </span>
        <span className={css.hint}>
          {words.since} <Time at={domain.createdAt} as="date" />
        </span>
      </div>
      {owner && (
        <Confirm
          title={words.removeTitle(name)}
          confirmLabel={label}
          danger
          onConfirm={() => remove.mutateAsync({ merchantId, domain: pattern })}
          trigger={<SmallButton aria-label={words.removeOf(name)}>{label}</SmallButton>}
        >
          {words.removeBody} {last && <strong>{words.removeLast}</strong>}
        </Confirm>
      )}
    </li>
  );
}
