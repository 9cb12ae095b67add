import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../lib/i18n.ts';
import { Empty } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';

const TEXTS = texts({
  en: {
    title: 'Not found',
    heading: 'Page not found',
    text: 'The page does not exist, or you do not have access.',
    home: 'Home',
  },
  pt: {
    title: 'Não encontrado',
    heading: 'Página não encontrada',
    text: 'A página não existe ou não tem permissão de acesso.',
    home: 'Início',
  },
});

/** The 404 page, also shown for another merchant's URLs. */
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
