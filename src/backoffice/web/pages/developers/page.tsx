import { Button, Tabs } from '@mantine/core';
import { setting, useAddressState } from '../../lib/address.ts';
import { currentLanguage, DOCS_PATH } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import css from './developers.module.css';
import { Keys } from './keys.tsx';
import { Requests } from './requests.tsx';
import { TEXTS } from './texts.ts';
import { TryIt } from './try-it.tsx';

const TABS = ['keys', 'call', 'requests'] as const;
const TAB = setting('tab', TABS);

/** The page for the shop's developers: API keys, a first call and the request log. */
export default function DevelopersPage() {
  const [tab, setTab] = useAddressState(TAB);
  const docs = (
    <Button
      variant="default"
      component="a"
      href={DOCS_PATH[currentLanguage()]}
      target="_blank"
      rel="noreferrer"
    >
      {TEXTS.docs}
    </Button>
  );
  return (
    <Page title={TEXTS.pages.developers} description={TEXTS.description} actions={docs}>
      <Tabs
        value={tab}
        onChange={(next) => setTab(TABS.find((each) => each === next) ?? 'keys')}
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each} className={css.tab}>
              {TEXTS.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="keys" className={css.panel}>
          <Keys />
        </Tabs.Panel>
        <Tabs.Panel value="call" className={css.panel}>
          <TryIt />
        </Tabs.Panel>
        <Tabs.Panel value="requests" className={css.panel}>
          <Requests />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
