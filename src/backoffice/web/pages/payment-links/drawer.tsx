import { Button, Flex, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TbDownload, TbExternalLink } from 'react-icons/tb';
import { format, inThrees } from '../../lib/format.ts';
import { saveAs } from '../../lib/save-as.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { SideDrawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { QrCode, qrFile } from '../../ui/qr-code.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Hint } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import { useChange } from '../../ui/use-change.ts';
import { LinkAmount, LinkStateBadge } from './list.tsx';
import { TEXTS } from './texts.ts';
import type { PaymentLink, ShownLink } from './types.ts';

const FRESH_EVERY_MS = 5000;

interface Props {
  readonly linkId: string | null;
  readonly onClose: () => void;
}

/** One payment link: its address and QR code, and who paid. */
export default function LinkDrawer({ linkId, onClose }: Props) {
  const { merchantId, role } = useMerchant();
  const query = useQuery(
    trpc.paymentLinks.show.queryOptions(
      { merchantId, linkId: linkId ?? '' },
      { enabled: linkId !== null, refetchInterval: FRESH_EVERY_MS },
    ),
  );
  return (
    <SideDrawer
      opened={linkId !== null}
      onClose={onClose}
      size={520}
      title={TEXTS.link}
      query={query}
      lines={8}
    >
      {({ link, paid, more }) => (
        <Stack gap={20} pb={12}>
          <Text component="h2" fz="1.05rem" fw={700}>
            {link.title}
          </Text>
          <Share link={link} />
          <About link={link} />
          <Paid paid={paid} more={more} />
          {role === 'owner' && link.closedAt === null && <CloseLink link={link} />}
        </Stack>
      )}
    </SideDrawer>
  );
}

function Share({ link: { url, title } }: { readonly link: PaymentLink }) {
  return (
    <>
      <Copyable value={url} label={TEXTS.url} />
      <QrCode text={url} label={TEXTS.qr} />
      <Group justify="center" gap={8}>
        <Button
          variant="default"
          leftSection={<TbDownload size={16} aria-hidden />}
          onClick={() => saveAs(qrFile(url), `${title.replace(/[^\p{L}\p{N}]+/gu, '-')}.svg`)}
        >
          {TEXTS.saveQr}
        </Button>
        <Button
          variant="default"
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          leftSection={<TbExternalLink size={16} aria-hidden />}
        >
          {TEXTS.openPage}
        </Button>
      </Group>
    </>
  );
}

function About({ link }: { readonly link: PaymentLink }) {
  const { uses, usesMax, expiresAt, orderPrefix, createdAt, paidCents } = link;
  return (
    <Facts
      items={[
        [TEXTS.state, <LinkStateBadge key="state" link={link} />],
        [TEXTS.amount, <LinkAmount key="amount" link={link} />],
        [TEXTS.received, format.euro(paidCents)],
        [
          TEXTS.uses,
          usesMax === null ? format.count(uses) : TEXTS.usesOf(format.count(uses), format.count(usesMax)),
        ],
        [TEXTS.orders, `${orderPrefix}-1 …`],
        [TEXTS.expires, expiresAt === null ? TEXTS.never : <Time key="expires" at={expiresAt} />],
        [TEXTS.created, <Time key="created" at={createdAt} />],
      ]}
    />
  );
}

function Paid({ paid, more }: Pick<ShownLink, 'paid' | 'more'>) {
  return (
    <Flex component="section" direction="column" gap={10} aria-label={TEXTS.paidTitle}>
      <Text component="h2" fz="1.05rem" fw={700}>
        {TEXTS.paidTitle}
      </Text>
      {paid.length === 0 ? (
        <Hint>{TEXTS.paidNone}</Hint>
      ) : (
        <Rows
          label={TEXTS.paidTitle}
          rows={paid}
          rowKey={({ transactionId }) => transactionId}
          columns={[
            {
              key: 'order',
              label: TEXTS.orders,
              cell: ({ transactionId, orderId, refunded, ...order }) => (
                <div>
                  <TransactionLink id={transactionId} order={orderId} />
                  <Payer {...order} />
                  {refunded && <StateBadge state="refunded" />}
                </div>
              ),
            },
            { key: 'at', label: TEXTS.paidAt, cell: ({ paidAt }) => <Time at={paidAt} /> },
            {
              key: 'amount',
              label: TEXTS.amount,
              align: 'right',
              cell: ({ amountCents }) => <Money cents={amountCents} />,
            },
          ]}
        />
      )}
      {more && <Hint>{TEXTS.paidMore}</Hint>}
    </Flex>
  );
}

/** The method and the phone number or the reference: all that is known of a customer who typed nothing else. */
function Payer({
  method,
  phoneNumber,
  reference,
}: Pick<ShownLink['paid'][number], 'method' | 'phoneNumber' | 'reference'>) {
  const digits = phoneNumber ?? reference;
  return (
    <Hint>
      {TEXTS.methods[method ?? 'none']} {digits === null ? null : inThrees(digits)}
    </Hint>
  );
}

function CloseLink({ link: { linkId, title } }: { readonly link: PaymentLink }) {
  const words = TEXTS.stop;
  const { merchantId } = useMerchant();
  const close = useChange(trpc.paymentLinks.close, { done: words.done });
  return (
    <Confirm
      title={words.title(title)}
      confirmLabel={words.button}
      danger
      onConfirm={() => close.mutateAsync({ merchantId, linkId })}
      trigger={<Button variant="default">{words.button}</Button>}
    >
      {words.body}
    </Confirm>
  );
}
