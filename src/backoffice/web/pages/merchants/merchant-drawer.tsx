import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { TbArrowRight } from 'react-icons/tb';
import { Link } from 'wouter';
import { format } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { copyable } from '../../ui/copyable.tsx';
import { SideDrawer } from '../../ui/dialog.tsx';
import { DomainName } from '../../ui/domain-name.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { BankAccount } from './bank-account.tsx';
import { Choices } from './choices.tsx';
import { WebhookBadge } from './list.tsx';
import { TEXTS } from './texts.ts';
import type { ShownMerchant } from './types.ts';

interface Props {
  readonly merchantId: string | null;
  readonly onClose: () => void;
}

export default function MerchantDrawer({ merchantId, onClose }: Props) {
  const query = useQuery(
    trpc.merchants.show.queryOptions({ merchantId: merchantId ?? '' }, { enabled: merchantId !== null }),
  );
  return (
    <SideDrawer
      opened={merchantId !== null}
      onClose={onClose}
      size={540}
      title={query.data?.name ?? TEXTS.merchant}
      query={query}
      lines={8}
    >
      {(merchant) => (
        <>
          <MerchantFacts merchant={merchant} />
          <Choices merchant={merchant} />
          <BankAccount merchant={merchant} />
        </>
      )}
    </SideDrawer>
  );
}

function MerchantFacts({ merchant }: { readonly merchant: ShownMerchant }) {
  const { domains, domainNames, firstPaidAt, merchantId, webhookUrl } = merchant;
  return (
    <>
      <Button
        component={Link}
        href={`/m/${merchantId}`}
        variant="light"
        fullWidth
        mb="lg"
        rightSection={<TbArrowRight size={16} aria-hidden />}
      >
        {TEXTS.open}
      </Button>
      <Facts
        items={[
          [TEXTS.merchantId, copyable(merchantId, TEXTS.merchantId)],
          [TEXTS.created, <Time key="created" at={merchant.createdAt} />],
          [TEXTS.firstPaid, firstPaidAt === null ? TEXTS.notYet : <Time key="paid" at={firstPaidAt} />],
          [
            TEXTS.days[30],
            `${format.euro(merchant.takenCents)} · ${TEXTS.payments(merchant.takenCount, format.count(merchant.takenCount))}`,
          ],
          [
            TEXTS.pages.domains,
            domains.length === 0
              ? TEXTS.noDomains
              : domains.map((domain, place) => (
                  <Fragment key={domain}>
                    {place > 0 && ', '}
                    <DomainName domain={domain} names={domainNames} />
                  </Fragment>
                )),
          ],
          [
            TEXTS.pages.webhook,
            <Group key="webhook" display="inline-flex" gap={6} align="stretch">
              <WebhookBadge state={merchant.webhook} />
              {webhookUrl !== null && <Soft>{webhookUrl}</Soft>}
            </Group>,
          ],
        ]}
      />
    </>
  );
}
