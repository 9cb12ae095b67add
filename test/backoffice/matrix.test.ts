import { afterAll, expect, test } from 'vitest';
import type { BackofficeMeta, Who } from '../../src/backoffice/authorise.ts';
import type { BackofficeErrorCode } from '../../src/backoffice/errors.ts';
import { createUser } from '../../src/backoffice/people/create-user.ts';
import { backofficeRouter, EXPORTS } from '../../src/backoffice/router.ts';
import { startWithMerchant } from '../support/harness.ts';
import { type CallResult, PASSWORD, startedSession, type Visitor, visitor } from './support.ts';

/** Every procedure with its declaration. */
const PROCEDURES = Object.entries(
  backofficeRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: 'query' | 'mutation'; meta?: BackofficeMeta } }
  >,
).map(([name, { _def }]) => ({ name, kind: _def.type, meta: _def.meta }));

/** Takes no input, so an admitted call ends the caller's other sessions. */
const ENDS_OTHERS = 'account.revokeOthers';

const WHO: readonly Who[] = ['anyone', 'user', 'viewer', 'owner', 'operator'];

type CallerName = 'anonymous' | 'first password' | 'viewer' | 'owner' | 'foreign owner' | 'operator';
const CALLERS: readonly CallerName[] = [
  'anonymous',
  'first password',
  'viewer',
  'owner',
  'foreign owner',
  'operator',
];

const userIds = new Map<CallerName, `usr_${string}`>();

const { service, merchant: shop } = await startWithMerchant({ whenOver: afterAll });
const other = await service.merchant();
const { deps } = service.app;
const make = async (name: CallerName, who: Partial<Parameters<typeof createUser>[1]>) => {
  const email = `${name.replace(' ', '-')}@example.pt`;
  const person = { role: 'operator', merchantId: null, email, password: PASSWORD, ...who } as const;
  userIds.set(name, (await createUser(deps, person)).userId);
};
await make('first password', { password: undefined });
await make('viewer', { role: 'viewer', merchantId: shop.merchantId });
await make('owner', { role: 'owner', merchantId: shop.merchantId });
await make('foreign owner', { role: 'owner', merchantId: other.merchantId });
await make('operator', {});

/** A browser with a new session of this caller, as after a sign-in `ago` milliseconds before. */
async function caller(name: CallerName, ago = 0): Promise<Visitor> {
  const browser = visitor(service.url);
  const userId = userIds.get(name);
  if (userId === undefined) return browser;
  browser.takeCookie(`backoffice=${await startedSession(service, userId, { ago })}`);
  return browser;
}

/** What the declaration means for each caller: a refusal's code, or null when the call is let through. */
function refusal(meta: BackofficeMeta, by: CallerName): BackofficeErrorCode | null {
  if (meta.who === 'anyone') return null;
  if (by === 'anonymous') return 'UNAUTHORIZED';
  if (by === 'first password') return meta.beforePasswordChange ? null : 'PASSWORD_CHANGE';
  if (meta.who === 'user' || by === 'operator') return null;
  if (meta.who === 'operator') return 'FORBIDDEN';
  if (by === 'foreign owner') return 'NOT_FOUND';
  return meta.who === 'owner' && by === 'viewer' ? 'FORBIDDEN' : null;
}

/** Has a member that no schema allows, so that an admitted call is refused as BAD_REQUEST and changes nothing. */
const probe = (merchantId: string = shop.merchantId) => ({ merchantId, noSuchMember: true });

const call = async (
  browser: Visitor,
  { name, kind }: (typeof PROCEDURES)[number],
  input: unknown = probe(),
): Promise<CallResult> => await browser[kind === 'query' ? 'query' : 'mutate'](name, input);

test('every procedure and download declares who may call it', () => {
  expect(PROCEDURES.length).toBeGreaterThan(20);
  const declared = [
    ...PROCEDURES,
    ...EXPORTS.map(({ path, meta }) => ({ name: path, kind: 'query' as const, meta })),
  ];
  for (const { name, kind, meta } of declared) {
    expect([name, WHO.includes(meta?.who as Who)]).toEqual([name, true]);
    expect([name, kind]).toEqual([name, expect.stringMatching(/^(query|mutation)$/)]);
  }
});

test('only signing in and links are open to anyone, and no mutation is open to viewers', () => {
  const open = PROCEDURES.filter(({ meta }) => meta?.who === 'anyone').map(({ name }) => name);
  expect(open.toSorted()).toEqual([
    'link.accept',
    'link.show',
    'session.current',
    'session.passkeyBegin',
    'session.passkeySignIn',
    'session.signIn',
  ]);
  const early = PROCEDURES.filter(({ meta }) => meta?.beforePasswordChange).map(({ name }) => name);
  expect(early.toSorted()).toEqual(['account.changePassword', 'session.signOut']);
  const settingUp = PROCEDURES.filter(({ meta }) => meta?.beforeFactor).map(({ name }) => name);
  expect(settingUp.toSorted()).toEqual([
    'account.changePassword',
    'account.passkeyAdd',
    'account.passkeyBegin',
    'account.totpBegin',
    'account.totpEnable',
    'session.confirm',
    'session.confirmBegin',
    'session.reauthenticate',
    'session.signOut',
  ]);
  const viewers = PROCEDURES.filter(({ kind, meta }) => kind === 'mutation' && meta?.who === 'viewer');
  expect(viewers.map(({ name }) => name)).toEqual([]);
});

test('procedures that move money, or reveal or change secrets and access, need a recent password', () => {
  const secret =
    /^(keys\.(create|reveal|revoke|roll)|webhook\.(revealSecret|rotate|finishRotation|setUrl)|team\.(invite|setRole|setFactor|remove)|users\.(resetLink|setActive)|account\.(totp\w+|recoveryRenew|passkey(Begin|Add|Remove))|merchants\.(create|set|setBank|setRoute)|exceptions\.(assign|credit)|refunds\.(create|set|retry|settle|exportTransfers|recordReported|dismissReported)|review\.release|leads\.erase)$/;
  const asking = PROCEDURES.filter(({ meta }) => meta?.fresh).map(({ name }) => name);
  expect(
    PROCEDURES.filter(({ name }) => secret.test(name))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(asking.toSorted());
});

test.each(CALLERS)('each procedure admits or refuses %s as it declares', async (by) => {
  const outcome = async (procedure: (typeof PROCEDURES)[number]) => {
    const { name, meta } = procedure;
    const code = (await call(await caller(by), procedure)).error?.code ?? null;
    const wanted = meta === undefined ? 'undeclared' : refusal(meta, by);
    // An admitted call succeeds or refuses the input.
    return { name, wanted, got: wanted === null && code === 'BAD_REQUEST' ? null : code };
  };
  const others = PROCEDURES.filter(({ name }) => name !== ENDS_OTHERS);
  const alone = PROCEDURES.filter(({ name }) => name === ENDS_OTHERS);
  const outcomes = await Promise.all(others.map(outcome));
  for (const procedure of alone) outcomes.push(await outcome(procedure));
  expect(outcomes.filter(({ wanted, got }) => wanted !== got)).toEqual([]);
});

test.each(['viewer', 'owner', 'operator'] as const)(
  'a %s whose password is 10 minutes old must enter it again for fresh procedures',
  async (by) => {
    const fresh = PROCEDURES.filter(({ meta }) => meta?.fresh && refusal(meta, by) === null);
    const outcomes = await Promise.all(
      fresh.map(async (procedure) => [
        procedure.name,
        (await call(await caller(by, 10 * 60_000), procedure)).error?.code,
      ]),
    );
    expect(outcomes).toEqual(fresh.map(({ name }) => [name, 'REAUTHENTICATE']));
  },
);

test('with no merchant, only operators are admitted, and only to what is open to all merchants', async () => {
  const ofMerchants = PROCEDURES.filter(({ meta }) => meta?.who === 'viewer' || meta?.who === 'owner');
  const code = async (by: CallerName, procedure: (typeof PROCEDURES)[number], passwordAge?: number) => {
    const input = { merchantId: null, noSuchMember: true };
    return (await call(await caller(by, passwordAge), procedure, input)).error?.code ?? 'admitted';
  };
  for (const procedure of ofMerchants) {
    const { name, meta } = procedure;
    expect([name, await code('owner', procedure)]).toEqual([name, meta?.orAll ? 'FORBIDDEN' : 'NOT_FOUND']);
    expect([name, await code('operator', procedure)]).toEqual([
      name,
      meta?.orAll ? expect.not.stringMatching(/NOT_FOUND|FORBIDDEN/) : 'NOT_FOUND',
    ]);
    if (!meta?.orAll) continue;
    expect([name, await code('anonymous', procedure)]).toEqual([name, 'UNAUTHORIZED']);
    expect([name, await code('first password', procedure)]).toEqual([name, 'PASSWORD_CHANGE']);
    if (meta.fresh)
      expect([name, await code('operator', procedure, 10 * 60_000)]).toEqual([name, 'REAUTHENTICATE']);
  }
});

test('another merchant and a missing merchant get the same answer', async () => {
  const ofMerchants = PROCEDURES.filter(({ meta }) => meta?.who === 'viewer' || meta?.who === 'owner');
  const check = async (procedure: (typeof PROCEDURES)[number]) => {
    const said = async (by: CallerName, input: unknown) => {
      const { status, error } = await call(await caller(by), procedure, input);
      return { name: procedure.name, status, error: { ...error, requestId: '' } };
    };
    const foreign = await said('foreign owner', probe());
    expect(foreign).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    expect(await said('owner', probe('mer_none'))).toEqual(foreign);
    expect(await said('operator', probe('mer_none'))).toEqual(foreign);
    expect(await said('owner', {})).toEqual(foreign);
    expect(await said('owner', { merchantId: [shop.merchantId] })).toEqual(foreign);
  };
  await Promise.all(ofMerchants.map(check));
});

test('no mutation is accepted from another site', async () => {
  const browser = await caller('operator');
  const mutations = PROCEDURES.filter(({ kind }) => kind === 'mutation');
  const check = async ({ name }: (typeof PROCEDURES)[number]) => {
    const bare = await browser.mutate(name, probe(), { 'x-backoffice': '' });
    const foreign = await browser.mutate(name, probe(), { origin: 'https://evil.example' });
    expect([name, bare.status, foreign.status]).toEqual([name, 403, 403]);
    // Not the message about the role.
    expect([bare.error.reason, foreign.error.reason]).toEqual(['foreign_page', 'foreign_page']);
  };
  await Promise.all(mutations.map(check));
});

test.each(CALLERS)('each download admits or refuses %s as it declares', async (by) => {
  for (const { path, meta } of EXPORTS) {
    const query = `merchantId=${shop.merchantId}&noSuchMember=1`;
    const response = await (await caller(by)).get(`/export/${path}?${query}`);
    const body = response.status === 200 ? {} : ((await response.json()) as { code?: string });
    expect([path, body.code]).toEqual([path, refusal(meta, by) ?? 'BAD_REQUEST']);
  }
});

test('a download without a merchant is for operators, and one of an unreadable merchant is refused', async () => {
  const code = async (by: CallerName, path: string, query: string) => {
    const response = await (await caller(by)).get(`/export/${path}?${query}&noSuchMember=1`);
    return ((await response.json()) as { code: string }).code;
  };
  const ofMerchants = EXPORTS.filter(({ meta }) => meta.who !== 'operator');
  const { merchantId } = shop;
  for (const { path, meta } of ofMerchants) {
    expect([path, await code('anonymous', path, '')]).toEqual([path, 'UNAUTHORIZED']);
    expect([path, await code('owner', path, '')]).toEqual([path, meta.orAll ? 'FORBIDDEN' : 'NOT_FOUND']);
    expect([path, await code('operator', path, '')]).toEqual([
      path,
      meta.orAll ? 'BAD_REQUEST' : 'NOT_FOUND',
    ]);
    for (const id of ['', 'null', 'mer_none', `${merchantId}&merchantId=${merchantId}`])
      for (const by of ['owner', 'operator'] as const)
        expect([path, id, await code(by, path, `merchantId=${id}`)]).toEqual([path, id, 'NOT_FOUND']);
  }
});
