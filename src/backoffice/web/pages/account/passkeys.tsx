import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePasskeyPlace } from '../../lib/passkeys.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { AddPasskey } from '../../ui/add-passkey.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Opener } from '../../ui/opener.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

type OwnPasskey = RouterOutputs['account']['passkeys']['rows'][number];

/** The user's passkeys, with buttons to add and remove them. */
export function Passkeys() {
  const { here, origin } = usePasskeyPlace();
  const query = useQuery(trpc.account.passkeys.queryOptions());
  const columns: Column<OwnPasskey>[] = [
    { key: 'name', label: TEXTS.name, cell: (row) => <strong>{row.name}</strong> },
    { key: 'added', label: TEXTS.passkeyAdded, cell: (row) => <Time at={row.createdAt} /> },
    {
      key: 'seen',
      label: TEXTS.lastUsed,
      cell: (row) => (row.usedAt === null ? TEXTS.never : <Time at={row.usedAt} as="ago" />),
    },
    { key: 'remove', label: '', align: 'right', cell: (row) => <RemoveButton passkey={row} /> },
  ];
  return (
    <Card
      title={TEXTS.passkeysTitle}
      flush
      actions={here && query.data !== undefined && query.data.rows.length < query.data.max && <AddButton />}
    >
      <Box px={{ base: 16, sm: 24 }} pb={{ base: 16, sm: 18 }}>
        <Text c="dimmed">{TEXTS.passkeysText}</Text>
        {!here && (
          <Text mt={8}>
            <NoPasskeys origin={origin} />
          </Text>
        )}
      </Box>
      <Loaded query={query} skeleton={<LinesSkeleton inset lines={1} height={48} />}>
        {({ rows }) =>
          rows.length > 0 && (
            <Rows columns={columns} rows={rows} rowKey={(row) => row.id} label={TEXTS.passkeysTitle} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Why this page cannot use passkeys. */
function NoPasskeys({ origin }: { readonly origin: string | null }) {
  if (origin === null) return TEXTS.passkeysNowhere;
  return origin === window.location.origin ? TEXTS.passkeysUnsupported : TEXTS.passkeysAt(origin);
}

function AddButton() {
  return (
    <Opener trigger={<SmallButton>{TEXTS.addPasskey}</SmallButton>}>
      {(close) => (
        <Dialog title={TEXTS.addPasskey} onClose={close}>
          <AddPasskey
            onDone={() => {
              close();
              notifyDone(TEXTS.passkeyWasAdded);
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </Opener>
  );
}

function RemoveButton({ passkey: { id, name } }: { readonly passkey: OwnPasskey }) {
  const remove = useChange(trpc.account.passkeyRemove, { done: TEXTS.passkeyRemoved, also: ['session'] });
  return (
    <Confirm
      title={TEXTS.removePasskeyTitle(name)}
      confirmLabel={TEXTS.remove}
      danger
      onConfirm={() => remove.mutateAsync({ id })}
      trigger={<SmallButton aria-label={TEXTS.removePasskeyOf(name)}>{TEXTS.remove}</SmallButton>}
    >
      {TEXTS.removePasskeyText}
    </Confirm>
  );
}
