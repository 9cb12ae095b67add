import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { texts } from '../lib/i18n.ts';
import css from '../ui/loaded.module.css';
import { checkConnection } from './connection.tsx';

const TEXTS = texts({
  title: ['This page could not be loaded', 'Não foi possível carregar a página'],
  text: [
    'No data was lost. Reload the page. If the error persists, tell us what you did last.',
    'Não se perderam dados. Recarregue a página. Se o erro persistir, indique-nos qual foi a última ação.',
  ],
  again: ['Reload', 'Recarregar'],
});

interface Props {
  readonly children: ReactNode;
}

/** The messages of Chromium, Firefox, Safari and Vite for a script or style sheet that did not load. */
const NOT_LOADED = /dynamically imported module|importing a module script|unable to preload/i;
const RETRY_EVERY_MS = 2_000;
const RELOADED_KEY = 'reloaded-at';
/** An error that recurs this soon after a reload is shown instead. */
const RELOAD_AGAIN_MS = 60_000;

/**
 * Catches render errors. When a part of the page did not load, because the service was unavailable or an upgrade replaced the
 * part, reloads the page as soon as the service responds.
 */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof Error && NOT_LOADED.test(error.message)) void reloadWhenConnected();
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div role="alert" className={css.notice}>
        <h1>{TEXTS.title}</h1>
        <p>{TEXTS.text}</p>
        <Button mt={12} onClick={() => window.location.reload()}>
          {TEXTS.again}
        </Button>
      </div>
    );
  }
}

async function reloadWhenConnected(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) < RELOAD_AGAIN_MS) return;
  try {
    await checkConnection();
  } catch {
    setTimeout(reloadWhenConnected, RETRY_EVERY_MS);
    return;
  }
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  window.location.reload();
}
