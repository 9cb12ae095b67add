import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { texts } from '../lib/i18n.ts';
import { Empty } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';

const TEXTS = texts({
  title: ['Not found', 'Não encontrado'],
  heading: ['Page not found', 'Página não encontrada'],
  text: [
    'The page does not exist, or you do not have access.',
    'A página não existe ou não tem permissão de acesso.',
  ],
  home: ['Home', 'Início'],
});

/** The 404 page, also shown for another merchant's URLs. */
export function NotFound() {
  return (
    <Page title={TEXTS.title}>
      <Empty
        title={TEXTS.heading}
        action={
          <Button component={Link} href="/">
            {TEXTS.home}
          </Button>
        }
      >
        {TEXTS.text}
      </Empty>
    </Page>
  );
}
