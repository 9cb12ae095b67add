import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { format } from '../lib/format.ts';
import { texts } from '../lib/i18n.ts';
import { queryClient } from '../lib/trpc.ts';
import css from './shell.module.css';

const CHECK_EVERY_MS = 2_000;
const CHECK_TIMEOUT_MS = 2_500;

const TEXTS = texts({
  lost: [
    (time: string) =>
      `No connection to the service. The data shown is from ${time}. The page reconnects automatically.`,
    (time) =>
      `Sem ligação ao serviço. Está a ver os dados das ${time}. A página volta a ligar-se automaticamente.`,
  ],
});

/** Resolves when the service responds; rejects when it does not, or when a proxy responds instead. */
export async function checkConnection(): Promise<number> {
  const { status } = await fetch('/healthz', {
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  });
  if (status >= 500) throw new Error(`the service answered ${status}`);
  return Date.now();
}

/** Shows that the service cannot be reached and since when; reloads all data when it can be reached again. */
export function Connection() {
  const { clock } = format;
  const { isError, dataUpdatedAt } = useQuery({
    queryKey: ['connection'],
    queryFn: checkConnection,
    initialData: Date.now,
    refetchInterval: CHECK_EVERY_MS,
    networkMode: 'always',
    retry: false,
  });
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isError)
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'connection' });
    wasLost.current = isError;
  }, [isError]);
  if (!isError) return null;
  return (
    <div className={css.lost} role="alert">
      {TEXTS.lost(clock(dataUpdatedAt))}
    </div>
  );
}
