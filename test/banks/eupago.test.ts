import { expect, test } from 'vitest';
import { EUPAGO_ACCOUNT as ACCOUNT, EUPAGO_CREDENTIALS, order, push } from './conformance-kit.ts';
import { eupago, NOON } from './eupago-kit.ts';

const info = (state: string, payments?: unknown[]) => ({
  entidade: null,
  referencia: '306188',
  identificador: 'A1',
  estado: 0,
  sucesso: true,
  resposta: 'OK',
  estado_referencia: state,
  ...(payments && { pagamentos: payments }),
});

test('a push is sent with the key in its header, and its reference is what inquiries name', async () => {
  const answer = { transactionStatus: 'Success', transactionID: 'f'.repeat(32), reference: 306188 };
  const { bank, requests, seen } = await eupago({ 'mbway/create': [answer, 201] });
  expect(await bank.createPush(ACCOUNT, push('A1'))).toEqual({ kind: 'accepted', requestId: '306188' });
  expect(seen[0]).toMatchObject({
    url: '/api/v1.02/mbway/create',
    authorization: 'ApiKey aaaa-bbbb-cccc-dddd-eeee',
  });
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    payment: {
      identifier: 'A1',
      amount: { value: 12.5, currency: 'EUR' },
      customerPhone: '912345678',
      countryCode: '+351',
      description: 'Shop 1001',
    },
    customer: { notify: false },
  });
  for (const contradictory of [[answer, 400], { ...answer, transactionStatus: 'Pending' }]) {
    const other = await eupago({ 'mbway/create': contradictory });
    expect(await other.bank.createPush(ACCOUNT, push('A1'))).toMatchObject({ kind: 'unknown' });
  }
});

test('a reference names its order as id, runs over Lisbon days and takes no second payment', async () => {
  const answer = { sucesso: true, estado: 0, resposta: 'OK', referencia: 123456789, entidade: '81921' };
  const response = { ...answer, valor: '12.50000', data_fim: '2026-07-18' };
  const { bank, requests } = await eupago({ 'multibanco/create': response });
  expect(await bank.createReference(ACCOUNT, order('A1'))).toEqual({
    kind: 'accepted',
    requestId: null,
    entity: '81921',
    reference: '123456789',
    expiresAt: Date.UTC(2026, 6, 18, 22, 59, 59),
  });
  expect(requests[0]?.url).toBe('/clientes/rest_api/multibanco/create');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    chave: EUPAGO_CREDENTIALS.apiKey,
    valor: 12.5,
    id: 'A1',
    per_dup: 0,
    data_inicio: '2026-07-15',
    data_fim: '2026-07-18',
  });
  const contradictory = await eupago({ 'multibanco/create': [response, 400] });
  expect(await contradictory.bank.createReference(ACCOUNT, order('A1'))).toMatchObject({ kind: 'unknown' });
});

test.each([
  ['pendente', 'waiting'],
  ['expirada', 'waiting'],
  ['arquivada', 'waiting'],
  ['cancelada', 'rejected'],
  ['erro', 'declined'],
])('a push whose reference is %s is %s', async (state, kind) => {
  const { bank, seen } = await eupago({ 'multibanco/info': info(state) });
  expect(await bank.inquirePush(ACCOUNT, { requestId: '306188', bankOrderId: 'A1' })).toEqual({ kind });
  expect(seen[0]?.url).toBe('/clientes/rest_api/multibanco/info');
});

test('a paid push carries the payment: its trid, amount, commission and forecast day', async () => {
  const payment = { trid: 7001, estado: 'paga', valor: '12.50000', comissao: '0.47500' };
  const dated = { ...payment, data_pagamento: '2026-07-15', hora_pagamento: '12:59:00' };
  const row = { ...dated, data_previsao_transferencia: '2026-07-17' };
  const { bank } = await eupago({ 'multibanco/info': info('paga', [row]) });
  expect(await bank.inquirePush(ACCOUNT, { requestId: '306188', bankOrderId: 'A1' })).toMatchObject({
    kind: 'paid',
    identity: 'eupago:7001',
    paidAt: NOON - 60_000,
    record: {
      amount: 1250,
      paymentId: '7001',
      requestId: '306188',
      bankOrderId: 'A1',
      method: 'MBWAY',
      fees: { fee: 48, net: null, valueDate: '2026-07-17' },
    },
  });
});

test.each([
  ['paga', undefined],
  ['transferida', []],
  ['paga', [{ trid: 7001, estado: 'confirmada', valor: '12.50000' }]],
  ['expirada', [{ trid: 7001, estado: 'paga', valor: '12,50' }]],
])('a reference that is %s with the payments %j is neither unpaid nor credited', async (state, payments) => {
  const row = { reference: '306188', entity: null, identifier: 'A1' };
  const { bank } = await eupago({
    'references/info': { transactionStatus: 'Success', referenceList: [row] },
    'multibanco/info': info(state, payments),
  });
  for (const requestId of ['306188', null])
    await expect(bank.inquirePush(ACCOUNT, { requestId, bankOrderId: 'A1' })).rejects.toThrow(
      'without a readable payment',
    );
  expect(await bank.listPayments(ACCOUNT, { bankOrderId: 'A1' })).toEqual({ records: [], complete: false });
});

test('an answer about another order settles no push', async () => {
  const paid = info('paga', [{ trid: 7001, estado: 'paga', valor: '12.50000' }]);
  const { bank } = await eupago({ 'multibanco/info': { ...paid, identificador: 'B2' } });
  await expect(bank.inquirePush(ACCOUNT, { requestId: '306188', bankOrderId: 'A1' })).rejects.toThrow(
    'another order',
  );
});

test('a push that is paid during the inquiry keeps the time of its payment', async () => {
  const paid = { trid: 7001, estado: 'paga', valor: '12.50000', data_pagamento: '2026-07-15' };
  const eupagoAnswer = info('paga', [{ ...paid, hora_pagamento: '13:01:00' }]);
  const { bank, clock } = await eupago({
    get 'multibanco/info'() {
      void clock.jump(120_000);
      return eupagoAnswer;
    },
  });
  expect(await bank.inquirePush(ACCOUNT, { requestId: '306188', bankOrderId: 'A1' })).toMatchObject({
    paidAt: NOON + 60_000,
  });
});

test('a push of unknown outcome is found by its order id, is absent, or leaves no answer', async () => {
  const unknown = { requestId: null, bankOrderId: 'A1' };
  const row = { reference: '306188', entity: null, status: 'pendente', identifier: 'A1' };
  const found = await eupago({
    'references/info?identifier=A1': { transactionStatus: 'Success', referenceList: [row] },
    'multibanco/info': info('cancelada'),
  });
  expect(await found.bank.inquirePush(ACCOUNT, unknown)).toEqual({ kind: 'rejected' });
  for (const nothing of [
    { transactionStatus: 'Success', referenceList: [] },
    { transactionStatus: 'Success', referenceList: [{ ...row, identifier: 'A12' }] },
    [{ transactionStatus: 'Rejected', code: 'REFERENCE_NOT_FOUND' }, 404],
  ]) {
    const { bank } = await eupago({ 'references/info': nothing });
    expect(await bank.inquirePush(ACCOUNT, unknown)).toEqual({ kind: 'absent' });
    // In the list, an order unknown to the bank and an unpaid order are the same.
    expect(await bank.listPayments(ACCOUNT, { bankOrderId: 'A1' })).toEqual({ records: [], complete: false });
  }
  for (const [code, status] of [
    ['LIMIT', 429],
    ['CLIENT_NOT_FOUND', 401],
    ['CLIENT_NOT_FOUND', 403],
    ['NOT_FOUND', 500],
  ] as const) {
    const { bank } = await eupago({ 'references/info': [{ transactionStatus: 'Rejected', code }, status] });
    await expect(bank.inquirePush(ACCOUNT, unknown)).rejects.toThrow(`list: HTTP ${status}`);
  }
  for (const unreadable of [null, { ...row, identifier: null }, { ...row, reference: null }]) {
    const referenceList = [unreadable];
    const { bank } = await eupago({ 'references/info': { transactionStatus: 'Success', referenceList } });
    await expect(bank.inquirePush(ACCOUNT, unknown)).rejects.toThrow('a reference is unreadable');
  }
});

test('a token serves until shortly before it lapses; a refused one is replaced once', async () => {
  const made = await eupago({ transactions: { transactionStatus: 'Success', transactionList: [] } }, 3600);
  const { bank, clock, seen } = made;
  const tokens = () => seen.filter(({ url }) => url === '/api/auth/token').length;
  await Promise.all([1, 2].map(() => bank.listPayments(ACCOUNT, { from: 0, to: 1 })));
  await clock.advance(3_539_000);
  await bank.listPayments(ACCOUNT, { from: 0, to: 1 });
  expect(tokens()).toBe(1);
  await clock.advance(1000);
  await bank.listPayments(ACCOUNT, { from: 0, to: 1 });
  expect(tokens()).toBe(2);
  expect(made.requests[0]?.body).toBe(
    'grant_type=client_credentials&client_id=client&client_secret=secret-of-client',
  );
  expect(seen.at(-1)).toMatchObject({ authorization: expect.stringMatching(/^Bearer t\d+$/) });
  const refusing = await eupago({ transactions: [{ transactionStatus: 'Rejected', code: 'TOKEN' }, 401] });
  await expect(refusing.bank.listPayments(ACCOUNT, { from: 0, to: 1 })).rejects.toThrow('list: HTTP 401');
  expect(refusing.seen.filter(({ url }) => url === '/api/auth/token')).toHaveLength(2);
});

test('a failed read of the list or of a refund counts as a failed call, a replaced token does not', async () => {
  const failing = await eupago({ transactions: [{}, 503], refund: [{}, 503] });
  await expect(failing.bank.listPayments(ACCOUNT, { from: 0, to: 1 })).rejects.toThrow('list: HTTP 503');
  await expect(failing.bank.inquireRefund(ACCOUNT, '7')).rejects.toThrow('refund: HTTP 503');
  expect(failing.calls).toEqual([
    { operation: 'token', outcome: 'ok' },
    { operation: 'list', outcome: 'unavailable' },
    { operation: 'list', outcome: 'unavailable' },
  ]);
  let refusals = 1;
  const replaced = await eupago({
    get 'references/info'() {
      refusals -= 1;
      return refusals < 0 ? { transactionStatus: 'Success', referenceList: [] } : [{}, 401];
    },
  });
  await replaced.bank.inquirePush(ACCOUNT, { requestId: null, bankOrderId: 'A1' });
  expect(replaced.calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
});

test('concurrent reads whose token is refused request one new token', async () => {
  let revoked = '';
  const made = await eupago({
    get 'references/info'() {
      return made.seen.at(-1)?.authorization === revoked
        ? [{ transactionStatus: 'Rejected', code: 'TOKEN' }, 401]
        : { transactionStatus: 'Success', referenceList: [] };
    },
  });
  const inquire = () => made.bank.inquirePush(ACCOUNT, { requestId: null, bankOrderId: 'A1' });
  await inquire();
  revoked = made.seen.at(-1)?.authorization ?? '';
  const answers = await Promise.all(Array.from({ length: 8 }, inquire));
  expect(answers).toEqual(Array(8).fill({ kind: 'absent' }));
  expect(made.seen.filter(({ url }) => url === '/api/auth/token')).toHaveLength(2);
});

test('the list is read in both states of received money, and other rows are no money', async () => {
  const row = {
    trid: '1',
    reference: '306188',
    identifier: 'A1',
    amount: '5.00000',
    datePayment: '2026-07-15 10:00:00',
  };
  const { bank, lines } = await eupago({
    'status=paga': {
      transactionStatus: 'Success',
      transactionList: [
        { ...row, status: 'paga' },
        { ...row, trid: '2', status: 'devolvida' },
        { ...row, trid: '3', amount: '-5.00000', status: 'paga' },
        { ...row, trid: '4', datePayment: '2026-07-01 10:00:00', status: 'paga' },
        // Later than any read would ask for.
        { ...row, trid: '6', datePayment: '2099-01-01 10:00:00', status: 'paga' },
      ],
    },
    'status=transferida': {
      transactionStatus: 'Success',
      transactionList: [
        { ...row, trid: '5', entity: '81921', reference: '123456789', status: 'transferida' },
      ],
    },
  });
  const list = await bank.listPayments(ACCOUNT, { from: NOON - 86_400_000, to: NOON });
  expect(list.complete).toBe(true);
  expect(list.records.map(({ identity, method }) => [identity, method])).toEqual([
    ['eupago:1', null],
    ['eupago:6', null],
    ['eupago:5', 'REFERENCE'],
  ]);
  expect(lines).toEqual([]);
});

test('received payments are returned although the bank does not list the transferred ones', async () => {
  const row = { trid: '1', reference: '306188', amount: '5.00000', datePayment: '2026-07-15 10:00:00' };
  const { bank } = await eupago({
    'status=paga': { transactionStatus: 'Success', transactionList: [{ ...row, status: 'paga' }] },
    'status=transferida': [{ transactionStatus: 'Rejected', code: 'STATUS_INVALID' }, 400],
  });
  expect(await bank.listPayments(ACCOUNT, { from: 0, to: NOON })).toMatchObject({
    records: [{ identity: 'eupago:1' }],
    complete: false,
    failure: expect.objectContaining({ message: expect.stringContaining('HTTP 400') }),
  });
  const { bank: unavailable } = await eupago({
    'status=transferida': {
      transactionStatus: 'Success',
      transactionList: [{ ...row, status: 'transferida' }],
    },
  });
  await expect(unavailable.listPayments(ACCOUNT, { from: 0, to: NOON })).rejects.toThrow('HTTP 404');
});

test('a payment that cannot be read makes the list incomplete and is logged', async () => {
  const unreadable = { trid: '1', amount: '5,00', status: 'paga' };
  const { bank, lines } = await eupago({
    transactions: { transactionStatus: 'Success', transactionList: [unreadable] },
    'multibanco/info': info('paga', [7]),
  });
  for (const filter of [{ from: 0, to: NOON }, { requestId: '306188' }])
    expect(await bank.listPayments(ACCOUNT, filter)).toEqual({ records: [], complete: false });
  expect(lines).toMatchObject([{ row: { trid: '1' } }, { row: 'number' }]);
});
