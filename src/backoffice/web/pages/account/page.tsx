import { useTexts } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import { Page } from '../../ui/page.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { TEXTS } from './texts.ts';

export default function AccountPage() {
  const words = useTexts(TEXTS);
  const { user } = useSession();
  return (
    <Page title={words.pages.account} description={user?.email}>
      <SecondFactor on={user?.totp === true} />
      <Passkeys />
      <Sessions />
      <Password />
    </Page>
  );
}
