import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { currentLanguage, inLanguage, texts } from '../lib/i18n.ts';
import css from '../ui/loaded.module.css';

const TEXTS = texts({
  en: {
    title: 'This page could not be loaded',
    text: 'No data was lost. Reload the page. If the error persists, tell us what you did last.',
    again: 'Reload',
  },
  pt: {
    title: 'Não foi possível carregar a página',
    text: 'Não se perderam dados. Recarregue a página. Se o erro persistir, indique-nos qual foi a última ação.',
    again: 'Recarregar',
  },
});

interface Props {
  readonly children: ReactNode;
}

/** Catches render errors, including chunks that a deployment has replaced; a reload fetches the current ones. */
export class Boundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const words = inLanguage(TEXTS, currentLanguage());
    return (
      <div role="alert" className={css.notice}>
        <h1>{words.title}</h1>
        <p>{words.text}</p>
        <Button className={css.action} onClick={() => window.location.reload()}>
          {words.again}
        </Button>
      </div>
    );
  }
}
