import { lazy, Suspense } from 'react';
import { useAddressDrawer } from '../../lib/address.ts';
import { useMayChange } from '../../lib/session.ts';
import { Page } from '../../ui/page.tsx';
import { Branding } from './branding.tsx';
import { CreateLink } from './create.tsx';
import { LinkList } from './list.tsx';
import { TEXTS } from './texts.ts';

/** Loaded after the list. */
const LinkDrawer = lazy(() => import('./drawer.tsx'));

export default function PaymentLinksPage() {
  const drawer = useAddressDrawer('link');
  const create = useMayChange() ? <CreateLink onCreated={drawer.open} /> : undefined;
  return (
    <Page title={TEXTS.pages.paymentLinks} description={TEXTS.description} actions={create}>
      <LinkList onOpen={drawer.open} />
      <Branding />
      <Suspense>
        <LinkDrawer linkId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}
