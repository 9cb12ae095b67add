import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { useChange } from '../../ui/use-change.ts';
import { InviteButton, Invites, Members } from './members.tsx';
import { TEXTS } from './texts.ts';

export default function TeamPage() {
  const words = useTexts(TEXTS);
  const { merchantId, role } = useMerchant();
  const owner = role === 'owner';
  const query = useQuery(trpc.team.list.queryOptions({ merchantId }, { enabled: owner }));
  if (!owner) {
    return (
      <Page title={words.pages.team}>
        <Empty title={words.ownersOnly}>{words.ownersOnlyText}</Empty>
      </Page>
    );
  }
  return (
    <Page title={words.pages.team} description={words.description} actions={<InviteButton />}>
      <Loaded query={query} skeleton={<LinesSkeleton lines={3} height={62} />}>
        {({ members, invites, requiresFactor }) => (
          <>
            <Members members={members} />
            {invites.length > 0 && <Invites invites={invites} />}
            <Factor required={requiresFactor} without={members.filter(({ factor }) => !factor).length} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly required: boolean;
  /** The members without two-factor authentication. */
  readonly without: number;
}

/** Requires two-factor authentication of all team members, or no longer does. */
function Factor({ required, without }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const set = useChange(trpc.team.setFactor, {
    done: required ? words.factorFreed : words.factorRequired,
    also: ['session'],
  });
  const self = user?.totp !== true && user?.passkeys === 'none' && !user.operator;
  return (
    <Card title={words.factor}>
      <Group justify="space-between" gap="12px 24px">
        <Text c="dimmed" flex="1 1 280px">
          {required ? words.factorOn : words.factorOff(without)}
        </Text>
        <Confirm
          title={required ? words.freeTitle : words.requireTitle}
          confirmLabel={required ? words.free : words.require}
          danger={required}
          onConfirm={() => set.mutateAsync({ merchantId, required: !required })}
          trigger={<Button variant="default">{required ? words.free : words.require}</Button>}
        >
          {required ? words.freeText : self ? words.requireSelfText : words.requireText}
        </Confirm>
      </Group>
    </Card>
  );
}
