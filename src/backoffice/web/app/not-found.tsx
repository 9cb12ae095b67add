import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../lib/i18n.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

const TEXTS = texts({
  en: {
    title: 'Not found',
    heading: 'There is nothing at this address',
    text: 'The page does not exist, or it is not yours to see.',
    home: 'To the start',
  },
  pt: {
    title: 'Não encontrado',
    heading: 'Não há nada neste endereço',
    text: 'A página não existe, ou não lhe pertence.',
    home: 'Para o início',
  },
});

/** The page of an address that leads nowhere, which is also what another merchant's address is. */
export function NotFound() {
  const words = useTexts(TEXTS);
  return (
    <Page title={words.title}>
      <Empty
        title={words.heading}
        action={
          <Button component={Link} href="/">
            {words.home}
          </Button>
        }
      >
        {words.text}
      </Empty>
    </Page>
  );
}
