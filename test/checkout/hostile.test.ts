import { hash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { inviteMember } from '../../src/backoffice/team/invite.ts';
import { setBrand } from '../../src/checkout/brand.ts';
import { createLink } from '../../src/checkout/links.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { mailOf, owner } from '../mail/support.ts';
import { startService } from '../support/harness.ts';
import { createSession, NO_TERMS, postForm } from './support.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const UNKNOWN = 'A'.repeat(22);
const HOSTILE = `</title></p><script>alert(1)</script>"'><img src=x onerror=alert(1)>&lt;<a href="x">`;
const PLAIN = 'Padaria';

const textOf = async (url: string | URL) => await (await fetch(url)).text();
const tokenOf = (url: string) => url.split('/').at(-1) ?? '';

/** The tags of a document with their attributes, without texts and values. */
function skeleton(document: string): string[] {
  const tags = document.replace(/<style>.*?<\/style>/s, '').match(/<[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
}

async function newLink(merchantId: `mer_${string}`, title: string) {
  return (await createLink(deps, { merchantId, title, ...NO_TERMS })).url;
}

/** What shoppers, owners and invited people see of a merchant with this text in every field. */
async function seen(text: string, name: string) {
  const merchant = await service.merchant({ name: text });
  const { merchantId } = merchant;
  await setMerchant(deps, merchantId, { customerMails: true });
  await setBrand(deps, merchantId, { accent: '#6b1f2e' });
  const [shopper, dona, ana] = ['shopper', 'dona', 'ana'].map((who) => `${who}.${name}@shop.pt`);
  await owner(service, merchant, dona ?? '');
  await inviteMember(deps, merchantId, { email: ana ?? '', role: 'viewer' });
  const { body } = await createSession(service, merchant, {
    orderId: text,
    locale: 'en',
    cancelUrl: `https://shop.pt/${text}?a=${text}#${text}`,
    customer: { name: text, email: shopper },
    items: [{ id: text, name: text, quantity: 1, priceInCents: 1999 }],
  });
  const link = await newLink(merchantId, text);
  const documents: Record<string, string> = {
    choice: await textOf(body.url),
    link: await textOf(link),
    'link in English': await textOf(`${link}?lang=en&problem=amount`),
  };
  await postForm(body.url, { method: 'REFERENCE' });
  documents.reference = await textOf(body.url);
  const [, entity = '', reference = ''] =
    /data-copy="(\d{5})"[\s\S]*?data-copy="(\d{9})"/.exec(documents.reference) ?? [];
  for (const amount of [5, 19.99]) await service.control('/multibanco', { entity, reference, amount });
  const mails = await Promise.all([
    mailOf(service, shopper ?? '', 'multibanco-instructions'),
    mailOf(service, shopper ?? '', 'payment-receipt'),
    mailOf(service, dona ?? '', 'alert-money'),
    mailOf(service, ana ?? '', 'invitation'),
  ]);
  for (const mail of mails) documents[mail.kind] = mail.html;
  documents.paid = await textOf(body.url);
  return { documents, mails };
}

test('HTML in the text of a merchant, an order or a link stays text in every page and mail', async () => {
  const plain = await seen(PLAIN, 'plain');
  const hostile = await seen(HOSTILE, 'hostile');
  for (const [name, document] of Object.entries(hostile.documents)) {
    expect(document, name).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(skeleton(document), name).toEqual(skeleton(plain.documents[name] ?? ''));
  }
  for (const { kind, text } of hostile.mails) expect(text, kind).toContain('<script>alert(1)</script>');
});

describe('the link back to the store', () => {
  const refused = [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)//https://shop.pt', 'data:text/html,x', 'vbscript:x'],
    ...['//evil.pt', '//shop.pt', '/thanks', 'https:shop.pt', 'https:/shop.pt', 'https:///shop.pt'],
    ...['https://', 'https:\\\\shop.pt', 'https:/\\evil.pt', 'https://evil.pt\\@shop.pt'],
    ...['https://shop.pt@evil.pt', 'https://shop.pt:443@evil.pt', 'https://a:b@shop.pt'],
    ...['https://@shop.pt@evil.pt', 'https://sh\top.pt/', 'https://shop.pt\n.evil.pt/'],
    ...['java\tscript:alert(1)', 'https://shop.pt/\r\nX: y', 'https://shop.pt。evil.pt/'],
    ...['https://shop.pt%2eevil.pt/', 'https://ѕhop.pt/', 'https://shop.pt․evil.pt/'],
    ...['https://shop.pt.evil.pt/', 'https://evilshop.pt/', 'https://evil-shop.pt/', 'https://a.shop.pt/'],
    ...['https://evil.pt/?https://shop.pt/', 'http://shop.pt/', 'ftp://shop.pt/', 'http://127.0.0.1/'],
    ...['http://localhost.evil.pt/', 'http://[::1]/', 'http://localhost@evil.pt/'],
    ...['https://localhost/', 'https://localhost.evil.pt/', 'https://0x7f.1/'],
  ];
  test.each(refused)('%j is refused', async (url) => {
    const merchant = await service.merchant();
    for (const name of ['successUrl', 'cancelUrl'])
      expect((await createSession(service, merchant, { [name]: url })).body.fields).toEqual([name]);
  });

  test.each([
    'https://shop.pt//evil.pt',
    'https://shop.pt/\\evil.pt',
    'https://shop.pt\\@evil.pt',
    'https://shop.pt#@evil.pt',
    'https://shop.pt?@evil.pt',
    'https://shop.pt/"><script>alert(1)</script>',
    "https://shop.pt/' onclick='alert(1)",
    'https://shop.pt/?next=javascript:alert(1)&amp;&quot;',
    'https://ｓｈｏｐ.pt/',
    ' \n https://SHOP.pt./ \t',
    'https://shop.pt:8443/',
  ])('%j leads to the store and nowhere else', async (url) => {
    const merchant = await service.merchant();
    const { body } = await createSession(service, merchant, { cancelUrl: url, successUrl: url });
    await postForm(body.url, { method: 'MBWAY', phoneNumber: '911000001' });
    const { transactionId } = await merchant.trpc.checkout.session.query({ sessionId: body.sessionId });
    const open = await textOf(body.url);
    await merchant.reaches(transactionId, 'paid');
    const plain = await createSession(service, merchant, { cancelUrl: 'https://shop.pt/' });
    const clean = skeleton(await textOf(plain.body.url));
    expect(skeleton(open).filter((tag) => tag.startsWith('<script'))).toHaveLength(1);
    expect(clean.filter((tag) => tag.startsWith('<script'))).toHaveLength(1);
    for (const document of [open, await textOf(body.url)]) {
      const [, href = ''] = /href="(https?:[^"]*)"/.exec(document) ?? [];
      const { protocol, hostname, username } = new URL(href.replaceAll('&amp;', '&'));
      expect([protocol, hostname.replace(/\.$/, ''), username]).toEqual(['https:', 'shop.pt', '']);
    }
  });
});

/** The policy of a page allows no style but the text of its own element. */
const policyOf = (page: string) => [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${hash('sha256', /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '', 'base64')}'`,
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

test('every answer below /pay refuses frames, referrers and caches, and every page other sources and robots', async () => {
  const merchant = await service.merchant();
  const { body } = await createSession(service, merchant);
  const link = await newLink(merchant.merchantId, 'Bolo');
  const unknown = `${service.url}/pay/${UNKNOWN}`;
  const answers = [
    ...[body.url, `${body.url}?lang=en`, link, unknown, `${service.url}/pay/l/${UNKNOWN}`].map((url) =>
      fetch(url),
    ),
    ...[`${body.url}/mistyped`, `${service.url}/pay/`, `${unknown}/status`, `${body.url}/status`].map((url) =>
      fetch(url),
    ),
    ...[body.url, link, unknown, `${service.url}/pay/l/${UNKNOWN}`].map((url) => postForm(url, {})),
    fetch(body.url, { method: 'POST', body: '{}' }),
    fetch(body.url, { method: 'PUT' }),
  ];
  const kinds: string[] = [];
  for (const answer of await Promise.all(answers)) {
    const { status, headers, url } = answer;
    const isPage = headers.get('content-type')?.startsWith('text/html') === true;
    kinds.push(`${status}${isPage ? ' page' : ''}`);
    const policy = headers.get('content-security-policy')?.split(/; ?/);
    expect(policy, url).toEqual(
      isPage ? policyOf(await answer.text()) : ["default-src 'none'", "frame-ancestors 'none'"],
    );
    expect(Object.fromEntries(headers), url).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      ...(isPage && { 'x-robots-tag': 'noindex, nofollow' }),
    });
  }
  expect(kinds).toEqual([
    ...[...Array(3).fill('200 page'), ...Array(5).fill('404 page')],
    ...['200', '303', '303', '404 page', '404 page', '400 page', '404'],
  ]);
});

test('a token has 128 bits, and a wrong one is answered like any other, whatever it is', async () => {
  const merchant = await service.merchant();
  const { body } = await createSession(service, merchant);
  const link = await newLink(merchant.merchantId, 'Bolo');
  for (const url of [body.url, link]) expect(Buffer.from(tokenOf(url), 'base64url')).toHaveLength(16);
  const wrong = (token: string) => [
    ...[UNKNOWN, token.toLowerCase(), token.slice(1), `${token}A`],
    ...['x', 'x'.repeat(10_000), '%00', '%3Cscript%3E', "'--"],
  ];
  const answered = async (url: string, method: string) => {
    const body = method === 'POST' ? new URLSearchParams({ method: 'MBWAY' }) : null;
    const answer = await fetch(url, { method, body });
    const { date, 'x-request-id': requestId, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, headers, text: await answer.text() };
  };
  for (const [path, tokens] of [
    ['/pay/', [...wrong(tokenOf(body.url)), tokenOf(link)]],
    ['/pay/l/', [...wrong(tokenOf(link)), tokenOf(body.url)]],
  ] as const) {
    for (const method of ['GET', 'POST']) {
      const first = await answered(`${service.url}${path}${UNKNOWN}`, method);
      expect(first.status).toBe(404);
      for (const token of tokens)
        expect(await answered(service.url + path + token, method), `${method} ${path}${token}`).toEqual(
          first,
        );
    }
  }
});

test('the token of a page is in no log, whatever the method and the spelling of the address', async () => {
  const { body } = await createSession(service, await service.merchant());
  const token = tokenOf(body.url);
  const paths = [`/PAY/${token}`];
  paths.push(`/pay/${token}/status`, `/pay/${token}/status/x`, `/pay/${token}/mistyped`);
  const hex = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');
  const middle = `${token.slice(0, 11)}${hex(token.charAt(11))}${token.slice(12)}`;
  const spellings = [token, middle, hex(token), hex(token).toUpperCase()];
  for (const escaped of spellings) paths.push(`/pay/${escaped}`, `//pay/${escaped}`);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
    for (const path of paths) await fetch(service.url + path, { method });
  await fetch(`${service.url}/pay/${token}/status`, { method: 'POST' });
  expect(service.logged()).toContain('"method":"HEAD"');
  for (const spelling of spellings) expect(service.logged()).not.toContain(spelling);
});

test('a step leads to the page itself, whatever the address, the headers and the fields say', async () => {
  const merchant = await service.merchant();
  const { body } = await createSession(service, merchant, { successUrl: 'https://shop.pt/ok' });
  const query = '?next=//evil.pt&session_id=x&lang=//evil.pt&successUrl=https://evil.pt';
  const fields = {
    method: 'REFERENCE',
    successUrl: 'https://evil.pt',
    next: '//evil.pt',
    location: '//evil.pt',
  };
  const headers = { 'x-forwarded-host': 'evil.pt', 'x-forwarded-proto': 'ftp', forwarded: 'host=evil.pt' };
  const posted = await postForm(body.url + query, fields, headers);
  expect([posted.status, posted.headers.get('location')]).toEqual([303, `/pay/${tokenOf(body.url)}`]);
  expect(await textOf(body.url + query)).not.toContain('evil.pt');
  const link = await newLink(merchant.merchantId, 'Bolo');
  const used = await postForm(link + query, { ...fields, amount: '5' }, headers);
  expect(used.headers.get('location')).toMatch(/^\/pay\/[\w-]{22}$/);
});
