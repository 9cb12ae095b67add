/** The progress of a download. */
export interface Progress {
  rows: number;
  /** The expected number of rows; null while unknown. */
  of: number | null;
}

const LINE_FEED = 10;
/** The header row. */
const HEAD_LINES = 1;

export interface Download {
  readonly content: Blob;
  /** The name that the server gave the file. */
  readonly name: string;
}

/** Reads a CSV stream and reports progress in lines. Rejects when the stream is interrupted, or with `signal`. */
export async function downloadCsv(
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
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { content: new Blob(pieces, { type: 'text/csv;charset=utf-8' }), name };
    pieces.push(value);
    for (const byte of value) if (byte === LINE_FEED) lines += 1;
    tell({ rows: Math.max(0, lines - HEAD_LINES), of });
  }
}
