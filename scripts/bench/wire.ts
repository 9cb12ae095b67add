import { BenchError } from './contest.ts';

const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAX = 64 * 1024;

/** The body of the answer, or null while it is incomplete. Throws BenchError on any status but 200. */
export function wholeBody(received: string): string | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) {
    if (received.length > HEAD_BYTES_MAX) throw new BenchError('the head of an answer does not end');
    return null;
  }
  const head = received.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new BenchError(`an answer without content-length: ${firstLine(head)}`);
  const total = headEnd + HEAD_END.length + Number(length);
  if (received.length < total) return null;
  const body = received.slice(headEnd + HEAD_END.length);
  if (!head.startsWith('HTTP/1.1 200 ')) throw new BenchError(`${firstLine(head)}: ${body.slice(0, 500)}`);
  if (received.length > total) throw new BenchError('an answer is longer than its content-length');
  return body;
}

function firstLine(head: string): string {
  return head.split('\r\n', 1)[0] ?? '';
}
