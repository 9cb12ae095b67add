import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pagePolicy } from '../http/page-policy.ts';
import { BACKOFFICE } from './paths.ts';

const FOLDER = join(import.meta.dirname, 'web/dist');
const NONCE = /__NONCE__/g;
const NONCE_BYTES = 16;

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Back office</title></head>
<body><h1>The pages of the back office are missing or not readable</h1>
<p>If their folder <code>web/dist</code> is missing, run <code>npm run build:web</code>; <code>npm ci</code> builds them as well.
If it exists, let the user of the service read it: run <code>chmod -R go+rX</code> on it.
Then restart the service.</p>
</body></html>
`;

/** Serves the built pages: every path below /backoffice returns the same document, whose script renders the page of the path. */
export async function mountPages(server: FastifyInstance, folder = FOLDER): Promise<void> {
  const index = join(folder, 'index.html');
  const html = existsSync(index) ? readFileSync(index, 'utf8') : NOT_BUILT;
  const showPage = async (_request: FastifyRequest, reply: FastifyReply) => await sendPage(reply, html);
  server.get(BACKOFFICE, showPage);
  server.get(`${BACKOFFICE}/*`, showPage);
  if (html === NOT_BUILT) return;
  // File names carry a hash of the content, so a file never changes. The library's own route would list the directory at each
  // request.
  await server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    serve: false,
    preCompressed: true,
    index: false,
    acceptRanges: false,
    immutable: true,
    maxAge: '1y',
  });
  server.get<{ Params: { '*': string } }>(`${BACKOFFICE}/assets/*`, (request, reply) =>
    reply.sendFile(request.params['*']),
  );
}

async function sendPage(reply: FastifyReply, html: string): Promise<void> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  await reply
    .header('content-security-policy', contentPolicy(nonce))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html.replace(NONCE, nonce));
}

/** Mantine adds style elements, which carry the nonce. */
function contentPolicy(nonce: string): string {
  const style = `'self' 'nonce-${nonce}'`;
  return pagePolicy({ style, image: "'self' data:", form: "'none'", others: ["font-src 'self'"] });
}
