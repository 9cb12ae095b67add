import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../rpc/wire-error.ts';
import type { Built, BuiltFile } from './built.ts';
import { BACKOFFICE, pathBelow } from './paths.ts';

const NONCE = /__NONCE__/g;
const NONCE_BYTES = 16;
/** Their names carry a hash of what is inside: they never change. */
const HASHED = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

const MISSING = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Back office</title></head>
<body><h1>The back office has not been built</h1>
<p>Its pages are made by <code>npm run build:web</code>, which <code>npm ci</code> runs as well. Run it, then start the service again.</p>
</body></html>
`;

/** The pages: every path below /backoffice is the same document, whose script shows what the path names. */
export function mountPages(server: FastifyInstance, built: Built | null): void {
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const name = pathBelow(request.url);
    const file = built?.files.get(name);
    if (file !== undefined) return await sendFile(request, reply, file, name);
    // What the document names and the build does not have is an error, not a page.
    if (/^(assets|trpc|export)(\/|$)/.test(name)) throw notFound();
    return await sendDocument(reply, built?.html ?? MISSING);
  };
  server.get(BACKOFFICE, show);
  server.get(`${BACKOFFICE}/*`, show);
}

async function sendDocument(reply: FastifyReply, html: string): Promise<void> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  await reply
    .header('content-security-policy', policy(nonce))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html.replace(NONCE, nonce));
}

/** Nothing from any other host, no script but our files, no style but our files and what our script vouches for. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
  name: string,
): Promise<void> {
  const [encoding, bytes] = bestOf(file, request.headers['accept-encoding'] ?? '');
  if (encoding !== null) reply.header('content-encoding', encoding);
  await reply
    .header('vary', 'accept-encoding')
    .header('cache-control', name.startsWith(HASHED) ? FOR_EVER : 'public, max-age=3600')
    .type(file.type)
    .send(bytes);
}

function bestOf(file: BuiltFile, accepted: string): [encoding: 'br' | 'gzip' | null, bytes: Buffer] {
  if (file.br !== null && accepts(accepted, 'br')) return ['br', file.br];
  if (file.gz !== null && accepts(accepted, 'gzip')) return ['gzip', file.gz];
  return [null, file.plain];
}

function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
