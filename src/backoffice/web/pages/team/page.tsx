import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Empty } from '../../ui/empty.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Factor } from './factor.tsx';
import { InviteButton } from './invite.tsx';
import { Invites } from './invites.tsx';
import { Members } from './members.tsx';
import { TEXTS } from './texts.ts';

export default function TeamPage() {
  const words = useTexts(TEXTS);
  const { merchantId, role } = useMerchant();
  const trpc = useTRPC();
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
