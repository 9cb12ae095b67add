import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copyable.tsx';
import { DomainName } from '../../ui/domain-name.tsx';
import { Facts } from '../../ui/facts.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Countdown } from './countdown.tsx';
import { type Detail, inThrees, situation } from './data.ts';
import css from './page.module.css';
import { useSummary } from './summary.ts';
import { TEXTS } from './texts.ts';

/** The amount, status and explanation. */
export function Hero({ detail, operator }: { readonly detail: Detail; readonly operator: boolean }) {
  const format = useFormat();
  const { says, todo } = useSummary(detail);
  const { push } = situation(detail);
  return (
    <Card>
      <div className={css.hero}>
        <div>
          <div className={css.line}>
            <p className={css.amount}>{format.euro(detail.amountCents)}</p>
            <StateBadge state={detail.held ? 'held' : detail.status} size="large" />
          </div>
          <div aria-live="polite">
            <p className={css.says}>{says}</p>
            {todo !== null && <p className={css.soft}>{todo}</p>}
          </div>
          {push?.expiresAt != null && detail.status === 'pending' && !detail.held && (
            <Countdown
              from={push.acceptedAt ?? push.createdAt}
              until={push.expiresAt}
              serverNow={detail.now}
            />
          )}
        </div>
        <HeroFacts detail={detail} operator={operator} />
      </div>
    </Card>
  );
}

function HeroFacts({ detail, operator }: { readonly detail: Detail; readonly operator: boolean }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const shown =
    detail.attempts.findLast(({ state }) => state === 'paid') ??
    detail.attempts.findLast(({ method }) => method === detail.method);
  return (
    <Facts
      items={[
        [words.merchant, operator ? detail.merchantName : null],
        [words.created, <Time key="created" at={detail.createdAt} />],
        [words.method, detail.method === null ? null : words.methods[detail.method]],
        [words.phone, shown?.phoneNumber == null ? null : inThrees(shown.phoneNumber)],
        [words.entity, shown?.entity ?? null],
        [
          words.referenceNumber,
          shown?.reference == null ? null : (
            <>
              {inThrees(shown.reference)}{' '}
              <CopyButton value={shown.reference} label={words.referenceNumber.toLowerCase()} />
            </>
          ),
        ],
        [
          words.payUntil,
          shown?.entity != null && shown.state === 'open' && shown.expiresAt !== null ? (
            <Time key="until" at={shown.expiresAt} />
          ) : null,
        ],
        [words.received, detail.receivedCents === 0 ? null : format.euro(detail.receivedCents)],
        [words.pages.refunds, detail.refundedCents === 0 ? null : format.euro(detail.refundedCents)],
        [words.shop, <DomainName key="shop" domain={detail.storeDomain} names={detail.domainNames} />],
      ]}
    />
  );
}
