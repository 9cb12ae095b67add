import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { format } from '../../lib/format.ts';
import { Facts } from '../../ui/facts.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { Check, LevelBadge } from './check.tsx';
import { TEXTS } from './texts.ts';
import type { SystemState } from './types.ts';

/** The server stops counting at this limit. */
const DUE_COUNTED_MAX = 10_000;

interface Props {
  readonly state: SystemState;
}

export function QueueCheck({ state: { queue, http } }: Props) {
  const { queue: own } = TEXTS;
  const due = queue.due > DUE_COUNTED_MAX ? own.more(format.count(DUE_COUNTED_MAX)) : format.count(queue.due);
  return (
    <Check title={own.title} level={queue.level} sentence={own[queue.level]}>
      <Facts
        items={[
          [own.due, queue.due === 0 ? own.nothing : due],
          [own.oldest, queue.oldestDueAgeMs === null ? null : format.duration(queue.oldestDueAgeMs)],
          [
            own.unclaimed,
            queue.unclaimedMs === null
              ? TEXTS.unknown
              : queue.unclaimedMs === 0
                ? own.nothing
                : format.duration(queue.unclaimedMs),
          ],
          [
            `${own.attempts}, ${TEXTS.lastMinutes(format.duration(http.windowMs)).toLowerCase()}`,
            own.attemptsText(format.count(queue.delivered), format.count(queue.failed)),
          ],
        ]}
      />
    </Check>
  );
}

export function UndeliveredCheck({ state: { undelivered } }: Props) {
  const { undelivered: own } = TEXTS;
  const { level, merchants } = undelivered;
  return (
    <Check title={own.title} level={level} sentence={level === 'good' ? own.good : own.attention}>
      {merchants.length > 0 && (
        <Rows
          label={own.title}
          rows={merchants}
          rowKey={(merchant) => merchant.merchantId}
          columns={[
            {
              key: 'merchant',
              label: TEXTS.merchant,
              cell: (merchant) => (
                <Anchor component={Link} href={`/m/${merchant.merchantId}/webhook`}>
                  {merchant.name}
                </Anchor>
              ),
            },
            {
              key: 'events',
              label: own.events,
              align: 'right',
              cell: (merchant) =>
                merchant.more ? own.more(format.count(merchant.count)) : format.count(merchant.count),
            },
          ]}
        />
      )}
    </Check>
  );
}

/** Refunds that the bank reports and this service did not make; shown only when there are any. */
export function ReportedCheck({ state: { refunds } }: Props) {
  const { refunds: own } = TEXTS;
  if (refunds.level === 'good') return null;
  return (
    <Check title={own.title} level={refunds.level} sentence={own.attention}>
      <Anchor component={Link} href="/operator/refunds">
        {own.open}
      </Anchor>
    </Check>
  );
}

/** Bank availability and the last complete payment list of each account. */
export function BankCheck({ state: { bank } }: { readonly state: SystemState }) {
  const { bank: own } = TEXTS;
  const sentence = bank.accounts.length === 0 ? own.none : own[bank.level];
  return (
    <Check title={own.title} level={bank.level} sentence={sentence}>
      <Facts
        items={[
          [own.kind, bank.sandbox ? own.sandbox : null],
          [
            `${own.calls}, ${TEXTS.lastMinutes(format.duration(bank.windowMs)).toLowerCase()}`,
            own.callsText(format.count(bank.calls), format.count(bank.failed)),
          ],
        ]}
      />
      {bank.accounts.map((account) => (
        <Box key={account.accountId} pt={14} mt={14} className="line-above">
          <Group component="h3" justify="space-between" gap="6px 12px" mb={8} fw={600} fz="0.95rem">
            <span>
              {account.merchantName ?? own.defaultAccount}, {ACQUIRER_NAMES[account.acquirer]}{' '}
              {!account.current && (
                <Text span inherit c="dimmed" fw={400}>
                  ({own.former})
                </Text>
              )}
            </span>
            {account.level !== 'good' && <LevelBadge level={account.level} />}
          </Group>
          <Facts
            items={[
              [
                own.listRead,
                account.listReadAt === null ? (
                  TEXTS.never
                ) : (
                  <Time key="read" at={account.listReadAt} as="ago" />
                ),
              ],
              [
                TEXTS.state,
                account.unavailableSince === null
                  ? own.speaks
                  : own.unavailable(format.time(account.unavailableSince)),
              ],
            ]}
          />
        </Box>
      ))}
    </Check>
  );
}
