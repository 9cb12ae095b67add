import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { TbPlus } from 'react-icons/tb';
import { SEARCH, useAddressDrawer, useAddressState } from '../../lib/address.ts';
import { Opener } from '../../ui/opener.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { BANK_TEXTS } from './bank-texts.ts';
import { MerchantList } from './list.tsx';
import { TEXTS } from './texts.ts';

/** Loaded after the list. */
const MerchantDrawer = lazy(() => import('./merchant-drawer.tsx'));
const DefaultAccount = lazy(() => import('./default-account.tsx'));
const CreateMerchant = lazy(() => import('./create.tsx'));

export default function MerchantsPage() {
  const [text, setText] = useAddressState(SEARCH);
  const drawer = useAddressDrawer('merchant');
  return (
    <Page
      title={TEXTS.pages.merchants}
      description={TEXTS.description}
      actions={
        <>
          <Opener trigger={<Button variant="default">{BANK_TEXTS.defaultTitle}</Button>}>
            {(close) => <DefaultAccount onClose={close} />}
          </Opener>
          <Opener trigger={<Button leftSection={<TbPlus size={16} aria-hidden />}>{TEXTS.create}</Button>}>
            {(close) => <CreateMerchant onClose={close} />}
          </Opener>
        </>
      }
    >
      <search>
        <SearchField alone label={TEXTS.search} hint={TEXTS.searchHint} value={text} onChange={setText} />
      </search>
      <MerchantList text={text} onShow={drawer.open} />
      <Suspense>
        <MerchantDrawer merchantId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}
