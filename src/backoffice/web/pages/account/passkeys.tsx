import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
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
  const words = useTexts(TEXTS);
  const { here, origin } = usePasskeyPlace();
  const query = useQuery(trpc.account.passkeys.queryOptions());
  const columns: Column<OwnPasskey>[] = [
    { key: 'name', label: words.name, cell: (row) => <strong>{row.name}</strong> },
    { key: 'added', label: words.passkeyAdded, cell: (row) => <Time at={row.createdAt} /> },
    {
      key: 'seen',
      label: words.lastUsed,
      cell: (row) => (row.usedAt === null ? words.never : <Time at={row.usedAt} as="ago" />),
    },
    { key: 'remove', label: '', align: 'right', cell: (row) => <RemoveButton passkey={row} /> },
  ];
  return (
    <Card
      title={words.passkeysTitle}
      flush
      actions={here && query.data !== undefined && query.data.rows.length < query.data.max && <AddButton />}
    >
      <Box px={{ base: 16, sm: 24 }} pb={{ base: 16, sm: 18 }}>
        <Text c="dimmed">{words.passkeysText}</Text>
        {!here && (
          <Text mt={8}>
            <NoPasskeys origin={origin} />
          </Text>
        )}
      </Box>
      <Loaded query={query} skeleton={<LinesSkeleton inset lines={1} height={48} />}>
        {({ rows }) =>
          rows.length > 0 && (
            <Rows columns={columns} rows={rows} rowKey={(row) => row.id} label={words.passkeysTitle} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Why this page cannot use passkeys. */
function NoPasskeys({ origin }: { readonly origin: string | null }) {
  const words = useTexts(TEXTS);
  if (origin === null) return words.passkeysNowhere;
  return origin === window.location.origin ? words.passkeysUnsupported : words.passkeysAt(origin);
}

function AddButton() {
  const words = useTexts(TEXTS);
  return (
    <Opener trigger={<SmallButton>{words.addPasskey}</SmallButton>}>
      {(close) => (
        <Dialog title={words.addPasskey} onClose={close}>
          <AddPasskey
            onDone={() => {
              close();
              notifyDone(words.passkeyWasAdded);
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </Opener>
  );
}

function RemoveButton({ passkey: { id, name } }: { readonly passkey: OwnPasskey }) {
  const words = useTexts(TEXTS);
  const remove = useChange(trpc.account.passkeyRemove, {
    done: words.passkeyRemoved,
    also: ['session'],
  });
  return (
    <Confirm
      title={words.removePasskeyTitle(name)}
      confirmLabel={words.remove}
      danger
      onConfirm={() => remove.mutateAsync({ id })}
      trigger={<SmallButton aria-label={words.removePasskeyOf(name)}>{words.remove}</SmallButton>}
    >
      {words.removePasskeyText}
    </Confirm>
  );
}
