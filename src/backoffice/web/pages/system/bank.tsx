import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { Check, LevelBadge } from './check.tsx';
import css from './system.module.css';
import { TEXTS } from './texts.ts';
import type { SystemState } from './types.ts';

/** Bank availability and the last complete payment list of each account. */
export function BankCheck({ state: { bank } }: { readonly state: SystemState }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { bank: own } = words;
  const sentence = bank.accounts.length === 0 ? own.none : own[bank.level];
  return (
    <Check title={own.title} level={bank.level} sentence={sentence}>
      <Facts
        items={[
          [own.kind, bank.sandbox ? own.sandbox : null],
          [
            `${own.calls}, ${words.lastMinutes(format.duration(bank.windowMs)).toLowerCase()}`,
            own.callsText(format.count(bank.calls), format.count(bank.failed)),
          ],
        ]}
      />
      {bank.accounts.map((account) => (
        <div key={account.accountId} className={css.account}>
          <h3 className={css.accountName}>
            <span>
              {account.merchantName ?? own.defaultAccount}, {ACQUIRER_NAMES[account.acquirer]}{' '}
              {!account.current && <span className={css.soft}>({own.former})</span>}
            </span>
            {account.level !== 'good' && <LevelBadge level={account.level} />}
          </h3>
          <Facts
            items={[
              [
                own.listRead,
                account.listReadAt === null ? (
                  words.never
                ) : (
                  <Time key="read" at={account.listReadAt} as="ago" />
                ),
              ],
              [
                words.state,
                account.unavailableSince === null
                  ? own.speaks
                  : own.unavailable(format.time(account.unavailableSince)),
              ],
            ]}
          />
        </div>
      ))}
    </Check>
  );
}
