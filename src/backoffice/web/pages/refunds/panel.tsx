import { Flex, Group, Stack } from '@mantine/core';
import { format } from '../../lib/format.ts';
import { copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Money } from '../../ui/money.tsx';
import { Hint, Soft } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { RefundActions } from './actions.tsx';
import { RefundBadge } from './badge.tsx';
import { CreateRefund } from './create.tsx';
import { PANEL_TEXTS } from './panel-texts.ts';
import css from './refunds.module.css';
import { useReceiptRefunds } from './source.ts';
import type { ReceiptRefunds, Refund } from './types.ts';

interface PanelProps {
  readonly receiptId: string;
  /** Shown where another receipt of the order can look the same. */
  readonly flags?: readonly string[] | undefined;
}

/** The refunds of a receipt with their history, the remaining amount, and the button for another one. */
export function RefundPanel({ receiptId, flags }: PanelProps) {
  const query = useReceiptRefunds(receiptId);
  return (
    <Loaded query={query} skeleton={<LinesSkeleton lines={2} />}>
      {(shown) => <Panel shown={shown} flags={flags} />}
    </Loaded>
  );
}

export function Panel({ shown, flags }: { readonly shown: ReceiptRefunds } & Pick<PanelProps, 'flags'>) {
  const { refusal } = shown;
  const isOver = refusal === 'nothing_left' || shown.leftCents === 0;
  const hint = refusal === null || isOver ? null : PANEL_TEXTS.refusals[refusal];
  return (
    <div className={css.panel}>
      <Group justify="space-between" gap="8px 20px">
        <Stack gap={2} miw={0}>
          <span>
            <strong>{format.euro(shown.amountCents)}</strong> · {PANEL_TEXTS.methods[shown.method ?? 'none']}{' '}
            · <Time at={shown.paidAt} />{' '}
            {flags?.map((flag) => (
              <StateBadge key={flag} state={flag} />
            ))}
          </span>
          {refusal !== 'returned' && (
            <Soft>
              {shown.leftCents === 0
                ? PANEL_TEXTS.allRefunded
                : PANEL_TEXTS.left(format.euro(shown.leftCents))}
            </Soft>
          )}
        </Stack>
        {refusal === null && <CreateRefund shown={shown} />}
      </Group>
      {hint !== null && <Hint>{hint}</Hint>}
      {shown.refunds.length > 0 && (
        <Flex component="ul" direction="column" gap={12} aria-label={PANEL_TEXTS.pages.refunds}>
          {shown.refunds.map((refund) => (
            <li key={refund.refundId} className={css.refund}>
              <RefundFace shown={shown} refund={refund} />
            </li>
          ))}
        </Flex>
      )}
    </div>
  );
}

interface FaceProps {
  readonly shown: ReceiptRefunds;
  readonly refund: Refund;
}

function RefundFace({ shown, refund }: FaceProps) {
  const { refundId, amountCents, state, reason, name, bankReason, technicalDetail, transfer } = refund;
  const details: Readonly<Record<string, string>> = PANEL_TEXTS.details;
  return (
    <>
      <Group gap="6px 12px">
        <Money cents={amountCents} />
        <RefundBadge state={state} />
      </Group>
      <p>{sentenceOf(refund)}</p>
      {bankReason !== null && <p>{details[bankReason] ?? PANEL_TEXTS.bankReason(bankReason)}</p>}
      {technicalDetail !== null && <Hint>{PANEL_TEXTS.technical(technicalDetail)}</Hint>}
      {reason !== null && <Hint>{PANEL_TEXTS.reasonOf(reason)}</Hint>}
      {transfer && name !== null && <Hint>{PANEL_TEXTS.toName(name)}</Hint>}
      <Facts items={[[PANEL_TEXTS.refundId, copyable(refundId, PANEL_TEXTS.refundId)]]} />
      <RefundActions shown={shown} refund={refund} />
      <History refund={refund} />
    </>
  );
}

function sentenceOf({ state, bankMade, transfer, iban, name, exportedAt }: Refund): string {
  const { says } = PANEL_TEXTS;
  if (bankMade) return says.bankMade;
  if (state === 'done' && transfer && iban !== null) return says.transferred(iban);
  if (state !== 'awaiting_transfer') return says[state];
  if (!transfer || iban === null || name === null) return says.noAccount;
  return exportedAt === null ? says.toTransfer(iban) : says.exported(iban, format.date(exportedAt));
}

function History({ refund }: { readonly refund: Refund }) {
  const notes: Readonly<Record<string, string>> = PANEL_TEXTS.notes;
  const actors: Readonly<Record<string, string>> = {
    service: PANEL_TEXTS.service,
    'command line': PANEL_TEXTS.commandLine,
  };
  return (
    <details className={css.history} open={refund.state !== 'done'}>
      <summary style={{ cursor: 'pointer', color: 'var(--ink-soft)', fontSize: '0.9rem' }}>
        {PANEL_TEXTS.history}
      </summary>
      <ol>
        {refund.history.map(({ at, state, actor, note }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end
          <li key={place}>
            <Time at={at} />
            <span>
              {PANEL_TEXTS.states[state]} · {actor === null ? PANEL_TEXTS.platform : (actors[actor] ?? actor)}
              {note !== null && note !== refund.reason && <span> · {notes[note] ?? note}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
