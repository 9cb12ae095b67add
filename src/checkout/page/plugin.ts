import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readForm } from '../../http/body.ts';
import { clientAddress } from '../../http/client-address.ts';
import { keepFailure } from '../../http/failure.ts';
import { pagePolicy } from '../../http/page-policy.ts';
import { splitTarget } from '../../http/paths.ts';
import { LANGUAGES, type Language } from '../../kernel/language.ts';
import { readLogo } from '../brand.ts';
import { newToken } from '../create-session.ts';
import { startLinkSession, viewLink } from '../link-session.ts';
import { type PostedStep, takeStep } from '../step.ts';
import { type SessionView, versionOf, viewSession } from '../view.ts';
import { type Page, type PageContext, renderFailed, renderMissing, renderSession } from './render.ts';
import { renderLink } from './render-link.ts';

/** Relative to /pay/. */
const SCRIPT = 'assets/page.js';

/** A step calls the bank at most twice, the second time at the fallback; the rest of it takes less than this. */
const STEP_SLACK_MS = 5000;

/** 128 bits in base64url. */
const TOKEN = /^[\w-]{22}$/;

interface Addressed {
  Params: { token: string };
}

export function paymentPage({ deps }: { deps: Deps }): (server: FastifyInstance) => Promise<void> {
  const css = asset('page.css');
  const js = asset('page.js');
  const script = { js, address: `${SCRIPT}?${hash('sha256', js, 'hex').slice(0, 12)}` };
  const context = (request: FastifyRequest): PageContext => ({
    now: deps.clock.now(),
    sandbox: deps.settings.bank === 'sandbox',
    stepMsMax: 2 * deps.settings.bankTimeoutMs + STEP_SLACK_MS,
    assets: { css, js: script.address },
    up: upFrom(request),
  });
  const missing = (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply.code(404), renderMissing(localeOf(request) ?? 'pt', context(request)));

  return async (server) => {
    server.setErrorHandler((error, request, reply) => {
      const { status } = keepFailure(request, error);
      return sendPage(reply.code(status), renderFailed(localeOf(request) ?? 'pt', context(request)));
    });
    assetRoutes(server, deps, script);
    sessionRoutes(server, deps, { context, missing });
    linkRoutes(server, deps, { context, missing });
    // Also keeps a mistyped address, which may hold a token, out of the log.
    server.get('/pay/*', (request, reply) => missing(request, reply));
  };
}

function assetRoutes(server: FastifyInstance, deps: Deps, script: { js: string; address: string }): void {
  server.get(`/pay/${SCRIPT}`, ({ url }, reply) => {
    // During an upgrade the page of another process may name another version, under which no cache may keep this one.
    const kept = url.endsWith(script.address) ? cacheable(reply) : reply;
    return kept.type('text/javascript; charset=utf-8').send(script.js);
  });
  server.get<{ Params: { hash: string } }>('/pay/assets/logo/:hash', async (request, reply) => {
    const logo = await readLogo(deps.db.read, request.params.hash);
    return logo === null ? reply.code(404).send() : cacheable(reply).type(logo.type).send(logo.bytes);
  });
}

/** The shared parts of session and link pages. */
interface Frame {
  context(request: FastifyRequest): PageContext;
  missing(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

function sessionRoutes(server: FastifyInstance, deps: Deps, { context, missing }: Frame): void {
  const view = async (request: FastifyRequest<Addressed>): Promise<SessionView | null> => {
    const { token } = request.params;
    const found = TOKEN.test(token) ? await viewSession(deps, token) : null;
    const locale = localeOf(request);
    return found === null || locale === null ? found : { ...found, locale };
  };
  server.get<Addressed>('/pay/:token', async (request, reply) => {
    const found = await view(request);
    return found === null ? missing(request, reply) : sendPage(reply, renderSession(found, context(request)));
  });
  server.get<Addressed>('/pay/:token/status', async (request, reply) => {
    const found = await view(request);
    return found === null ? missing(request, reply) : reply.send({ version: versionOf(found) });
  });
  server.post<Addressed>('/pay/:token', async (request, reply) => {
    const { token } = request.params;
    const form = await readForm(request.raw);
    if (!TOKEN.test(token)) return missing(request, reply);
    const isOwn = isSameOrigin(request, deps.serviceUrl());
    if (isOwn && !(await takeStep(deps, token, stepOf(request, form)))) return missing(request, reply);
    return redirect(reply, pagePath(request, deps.serviceUrl()));
  });
}

function linkRoutes(server: FastifyInstance, deps: Deps, { context, missing }: Frame): void {
  server.get<Addressed>('/pay/l/:token', async (request, reply) => {
    const { token } = request.params;
    const link = TOKEN.test(token) ? await viewLink(deps, token) : null;
    if (link === null) return missing(request, reply);
    const { problem } = request.query as { problem?: unknown };
    const shown = { locale: localeOf(request) ?? 'pt', problem, visit: newToken(deps) };
    return sendPage(reply, renderLink(link, shown, context(request)));
  });
  server.post<Addressed>('/pay/l/:token', async (request, reply) => {
    const { token } = request.params;
    const form = await readForm(request.raw);
    if (!TOKEN.test(token)) return missing(request, reply);
    const own = basePath(deps.serviceUrl());
    const locale = localeOf(request) ?? 'pt';
    const again = `${own}/pay/l/${token}?lang=${locale}`;
    if (!isSameOrigin(request, deps.serviceUrl())) return redirect(reply, again);
    const step = stepOf(request, form);
    const visit = form.get('visit');
    const used = await startLinkSession(deps, token, {
      amount: form.get('amount'),
      locale,
      address: step.address,
      visit: visit !== null && TOKEN.test(visit) ? visit : null,
    });
    if (used.kind === 'missing') return missing(request, reply);
    if (used.kind !== 'session') return redirect(reply, `${again}&problem=${used.kind}`);
    await takeStep(deps, used.token, step);
    return redirect(reply, `${own}/pay/${used.token}`);
  });
}

function stepOf(request: FastifyRequest, form: URLSearchParams): PostedStep {
  const address = clientAddress(request);
  return { method: form.get('method'), phoneNumber: form.get('phoneNumber'), address };
}

/** Makes a response cacheable forever: the address changes with the content. */
function cacheable(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=31536000, immutable');
}

function asset(name: string): string {
  return readFileSync(join(import.meta.dirname, 'assets', name), 'utf8');
}

/** The relative path from a page up to /pay/, because a proxy may prepend a path. */
function upFrom({ url }: FastifyRequest): string {
  return '../'.repeat(splitTarget(url)[0].split('/').length - 3);
}

/** The language in the address. */
function localeOf(request: FastifyRequest): Language | null {
  const { lang } = request.query as { lang?: unknown };
  return LANGUAGES.find((locale) => locale === lang) ?? null;
}

/** The page's path behind any proxy, in the language of the request. */
function pagePath(request: FastifyRequest<Addressed>, serviceUrl: string): string {
  const locale = localeOf(request);
  return `${basePath(serviceUrl)}/pay/${request.params.token}${locale === null ? '' : `?lang=${locale}`}`;
}

/** The path that a proxy prepends to every address. */
function basePath(serviceUrl: string): string {
  return new URL(serviceUrl).pathname.replace(/\/$/, '');
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).header('location', location).send();
}

/**
 * Whether the posted form is from this page. The page sends no referrer, so a browser reports the origin `null`; Sec-Fetch-Site
 * distinguishes it from a page of another site.
 */
function isSameOrigin({ headers, host }: FastifyRequest, serviceUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === 'null') return true;
  return origin === new URL(serviceUrl).origin || URL.parse(origin)?.host === host;
}

function sendPage(reply: FastifyReply, { document, style }: Page): FastifyReply {
  const policy = pagePolicy({ style: `'sha256-${hash('sha256', style, 'base64')}'` });
  return reply
    .header('content-security-policy', policy)
    .header('x-robots-tag', 'noindex, nofollow')
    .type('text/html; charset=utf-8')
    .send(document);
}
