import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { deviceOf } from '../../lib/device.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

type OwnSession = RouterOutputs['account']['sessions'][number];

/** The active sessions, each with a sign-out button. */
export function Sessions() {
  const query = useQuery(trpc.account.sessions.queryOptions());
  const others = useChange(trpc.account.revokeOthers, { done: TEXTS.endedOthers });
  const device = (row: OwnSession) => {
    const known = deviceOf(row.userAgent);
    if (known === null) return TEXTS.unknownDevice;
    return known.system === null ? known.browser : TEXTS.on(known.browser, known.system);
  };
  const columns: Column<OwnSession>[] = [
    { key: 'device', label: TEXTS.device, cell: (row) => <strong>{device(row)}</strong> },
    { key: 'address', label: TEXTS.address, cell: (row) => row.address },
    { key: 'since', label: TEXTS.since, cell: (row) => <Time at={row.createdAt} /> },
    { key: 'seen', label: TEXTS.lastUsed, cell: (row) => <Time at={row.seenAt} as="ago" /> },
    {
      key: 'end',
      label: '',
      align: 'right',
      cell: (row) =>
        row.current ? (
          <Text span c="var(--good)" fz="0.88rem" fw={600} textWrap="nowrap">
            {TEXTS.thisOne}
          </Text>
        ) : (
          <EndButton id={row.id} label={TEXTS.endOf(device(row))} />
        ),
    },
  ];
  const several = (query.data?.length ?? 0) > 1;
  return (
    <Card
      title={TEXTS.sessionsTitle}
      flush
      actions={
        several && (
          <Confirm
            title={TEXTS.endOthersTitle}
            confirmLabel={TEXTS.endOthers}
            onConfirm={() => others.mutateAsync()}
            trigger={<SmallButton>{TEXTS.endOthers}</SmallButton>}
          >
            {TEXTS.endOthersText}
          </Confirm>
        )
      }
    >
      <Loaded query={query} skeleton={<LinesSkeleton inset lines={2} height={48} />}>
        {(sessions) => (
          <Rows columns={columns} rows={sessions} rowKey={(row) => row.id} label={TEXTS.sessionsTitle} />
        )}
      </Loaded>
    </Card>
  );
}

function EndButton({ id, label }: { readonly id: string; readonly label: string }) {
  const revoke = useChange(trpc.account.revokeSession, { done: TEXTS.ended, notifies: true });
  return (
    <SmallButton aria-label={label} loading={revoke.isPending} onClick={() => revoke.mutate({ id })}>
      {TEXTS.end}
    </SmallButton>
  );
}
