import { createSocket } from 'node:dgram';
import { isIP, isIPv4 } from 'node:net';
import { onTestFinished } from 'vitest';

/** The answer for a name: its addresses of one family, that it does not exist, or none. */
type DnsAnswer = readonly string[] | 'no such name' | 'no answer';

export interface DnsQuestion {
  name: string;
  type: 'A' | 'AAAA';
}

export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

const HEADER_BYTES = 12;
const TYPES: Record<number, DnsQuestion['type']> = { 1: 'A', 28: 'AAAA' };
/** Long, so that a cache in the client fails the test. */
const TTL_SECONDS = 3600;

/** Starts a name server over UDP on loopback that answers what `answer` returns for each question, once it is settled. */
export async function startDnsServer(answer: (question: DnsQuestion) => DnsAnswer | Promise<DnsAnswer>) {
  /** Every question, in order. */
  const questions: DnsQuestion[] = [];
  const socket = createSocket('udp4');
  socket.on('message', async (message, from) => {
    const asked = readQuestion(message);
    if (asked === null) return;
    questions.push(asked.question);
    const said = await answer(asked.question);
    if (said !== 'no answer') socket.send(reply(message, asked.end, said), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void socket.close(() => resolve())));
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

/** The first question and where it ends; null for types other than A and AAAA. */
function readQuestion(message: Buffer): { question: DnsQuestion; end: number } | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = TYPES[message.readUInt16BE(at + 1)];
  return type === undefined ? null : { question: { name: labels.join('.'), type }, end: at + 5 };
}

function reply(query: Buffer, questionEnd: number, said: Exclude<DnsAnswer, 'no answer'>): Buffer {
  const addresses = said === 'no such name' ? [] : said;
  const head = Buffer.from(query.subarray(0, questionEnd));
  // An answer, recursion available; 3 is "no such name".
  head.writeUInt16BE(said === 'no such name' ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...addresses.map(record)]);
}

function record(address: string): Buffer {
  if (isIP(address) === 0) throw new Error(`${address} is no address`);
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(expanded(address), 'hex');
  const head = Buffer.alloc(12);
  // The name is the question's.
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(isIPv4(address) ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(TTL_SECONDS, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** The 32 hexadecimal digits of an IPv6 address. */
function expanded(address: string): string {
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = right === undefined ? 0 : 8 - groups(left).length - groups(right).length;
  return [...groups(left), ...Array<string>(zeros).fill('0'), ...groups(right ?? '')]
    .map((group) => group.padStart(4, '0'))
    .join('');
}
