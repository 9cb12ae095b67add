import { Button, Stack, Text } from '@mantine/core';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Empty } from '../../ui/loaded.tsx';
import type { MorePages } from '../../ui/more-rows.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { TEXTS } from './texts.ts';
import type { Lead } from './types.ts';

interface Props {
  readonly rows: readonly Lead[];
  readonly onShow: (leadId: string) => void;
}

/** The list of leads. */
export function LeadList({ rows, onShow }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  return (
    <Rows
      label={words.pages.leads}
      rows={rows}
      rowKey={(lead) => lead.leadId}
      onRow={(lead) => onShow(lead.leadId)}
      columns={[
        { key: 'person', label: words.person, cell: (lead) => <Person lead={lead} /> },
        { key: 'merchant', label: words.merchant, cell: (lead) => lead.merchantName },
        {
          key: 'campaign',
          label: words.campaign,
          wideOnly: true,
          cell: (lead) => <Soft>{lead.campaign ?? ''}</Soft>,
        },
        {
          key: 'orders',
          label: words.orders,
          cell: (lead) => words.ordersPaid(format.count(lead.paidOrders), format.count(lead.orders)),
        },
        { key: 'seen', label: words.lastSeen, cell: (lead) => <Time soft at={lead.lastSeenAt} as="ago" /> },
        {
          key: 'paid',
          label: words.taken,
          align: 'right',
          cell: (lead) => (
            <Text
              span
              {...(lead.paidCents === 0 ? { c: 'dimmed', fz: '0.88rem' } : { fw: 600 })}
              textWrap="nowrap"
            >
              {format.euro(lead.paidCents)}
            </Text>
          ),
        },
      ]}
    />
  );
}

interface NoLeadsProps {
  readonly query: MorePages<Lead>;
  /** Whether a search is active. */
  readonly narrowed: boolean;
}

/** The list without leads; a bounded search without results offers to continue. */
export function NoLeads({ query, narrowed }: NoLeadsProps) {
  const words = useTexts(TEXTS);
  if (query.hasNextPage) {
    return (
      <Empty
        title={words.none}
        action={
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.lookOn}
          </Button>
        }
      >
        {words.lookedThrough}
      </Empty>
    );
  }
  return narrowed ? (
    <Empty title={words.none}>{words.noneText}</Empty>
  ) : (
    <Empty title={words.empty}>{words.emptyText}</Empty>
  );
}

/** A person's name and contact. */
function Person({ lead }: { readonly lead: Pick<Lead, 'name' | 'email' | 'phone' | 'erasure'> }) {
  const words = useTexts(TEXTS);
  const contact = lead.email ?? lead.phone;
  if (lead.erasure !== null)
    return (
      <Text span c="dimmed" fs="italic">
        {words.erasedPerson}
      </Text>
    );
  return (
    <Stack gap={0} miw={0}>
      <Text span fw={600}>
        {lead.name ?? words.noName}
      </Text>
      {contact !== null && (
        <Soft>
          <Breakable text={contact} />
        </Soft>
      )}
    </Stack>
  );
}
