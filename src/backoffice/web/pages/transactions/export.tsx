import { Progress as Bar, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { TbDownload } from 'react-icons/tb';
import { queryOf } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { saveAs } from '../../lib/save-as.ts';
import { useScope } from '../../lib/session.ts';
import { askedOf, type Filters } from './filters.ts';
import { TEXTS } from './texts.ts';

type Run = { progress: Progress } & ({ state: 'running' | 'failed' } | { state: 'done'; file: Download });

const START: Run = { state: 'running', progress: { rows: 0, of: null } };

/** Exports the filtered list as CSV, with progress. */
export function ExportButton({ filters }: { readonly filters: Filters }) {
  const merchantId = useScope();
  const [run, setRun] = useState<Run | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    stop.current = controller;
    setRun(START);
    const params = queryOf({ ...askedOf(filters), merchantId, language: currentLanguage() });
    let progress = START.progress;
    try {
      const file = await downloadCsv(
        `/backoffice/export/transactions.csv?${params}`,
        controller.signal,
        (now) => {
          progress = now;
          setRun({ state: 'running', progress });
        },
      );
      setRun({ state: 'done', progress, file });
      saveAs(file.content, file.name);
    } catch {
      if (!controller.signal.aborted) setRun({ state: 'failed', progress });
    }
  };
  const close = () => {
    stop.current?.abort();
    setRun(null);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<TbDownload size={17} aria-hidden />}
        onClick={() => void start()}
      >
        {TEXTS.csv}
      </Button>
      <Modal opened={run !== null} onClose={close} title={TEXTS.exportTitle}>
        {run !== null && <Running run={run} onClose={close} onAgain={start} />}
      </Modal>
    </>
  );
}

interface RunningProps {
  readonly run: Run;
  readonly onClose: () => void;
  readonly onAgain: () => Promise<void>;
}

function Running({ run, onClose, onAgain }: RunningProps) {
  const { rows, of } = run.progress;
  const share = run.state === 'done' ? 100 : of === null || of === 0 ? 100 : Math.min(100, (rows / of) * 100);
  const count = format.count(rows);
  const said = {
    running: of === null ? TEXTS.exportRunning(count) : TEXTS.exportOf(count, format.count(of)),
    failed: TEXTS.exportFailed,
    done: TEXTS.exportDone(count, rows === 1),
  }[run.state];
  return (
    <Stack>
      <Text c="dimmed">{TEXTS.exportWhy}</Text>
      <Bar.Root size="lg">
        <Bar.Section
          value={share}
          color={run.state === 'failed' ? 'red.8' : 'sea.7'}
          animated={run.state === 'running' && of === null}
          aria-label={TEXTS.exportProgress}
        />
      </Bar.Root>
      <Text role="status" aria-live="polite">
        {said}
      </Text>
      <Group justify="flex-end">
        {run.state === 'done' && (
          <Button variant="default" onClick={() => saveAs(run.file.content, run.file.name)}>
            {TEXTS.exportSave}
          </Button>
        )}
        {run.state === 'failed' && <Button onClick={() => void onAgain()}>{TEXTS.csv}</Button>}
        <Button variant={run.state === 'done' ? 'filled' : 'default'} onClick={onClose}>
          {run.state === 'running' ? TEXTS.cancel : TEXTS.exportClose}
        </Button>
      </Group>
    </Stack>
  );
}

interface Progress {
  rows: number;
  /** The expected number of rows; null while unknown. */
  of: number | null;
}

const LINE_FEED = 10;
const QUOTE = 34;
/** The header row. */
const HEAD_LINES = 1;

interface Download {
  readonly content: Blob;
  /** The name that the server gave the file. */
  readonly name: string;
}

/** Reads a CSV stream and reports progress in lines. Rejects when the stream is interrupted, or with `signal`. */
async function downloadCsv(
  url: string,
  signal: AbortSignal,
  tell: (progress: Progress) => void,
): Promise<Download> {
  const response = await fetch(url, { signal, headers: { accept: 'text/csv' } });
  if (!response.ok || response.body === null) throw new Error(`the export was answered ${response.status}`);
  const [, name = 'transactions.csv'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const exact = response.headers.get('x-rows-exact') === 'true';
  const of = exact ? Number(response.headers.get('x-rows-max')) : null;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  // A customer's name can contain line feeds.
  let quoted = false;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { content: new Blob(pieces, { type: 'text/csv;charset=utf-8' }), name };
    pieces.push(value);
    for (const byte of value) {
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_FEED && !quoted) lines += 1;
    }
    tell({ rows: Math.max(0, lines - HEAD_LINES), of });
  }
}
