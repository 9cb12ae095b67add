/** Says on standard error what runs now, so that the table alone is on standard output. */
export function progress(text: string): void {
  process.stderr.write(`· ${text}\n`);
}
