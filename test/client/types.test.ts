import type { inferRouterError, inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expectTypeOf, test } from 'vitest';
import { createPaymentsClient } from '../../src/client/client.ts';
import type { ErrorCode, InitInput, WebhookEvent } from '../../src/client/contract.ts';
import type { AppRouter } from '../../src/client/router.ts';
import type * as payments from '../../src/payments/contract.ts';
import type { AppRouter as ServerRouter } from '../../src/router.ts';

test('the types of the client are those of the contract, with the store URL that a server must send', () => {
  expectTypeOf<Omit<InitInput, 'storeUrl'>>().toEqualTypeOf<Omit<payments.InitInput, 'storeUrl'>>();
  expectTypeOf<InitInput['storeUrl']>().toEqualTypeOf<string>();
  const client = createPaymentsClient({ baseUrl: 'https://pay.example/api/v1', apiKey: 'key' });
  expectTypeOf(client.init).returns.resolves.toEqualTypeOf<payments.InitOutput>();
  expectTypeOf(client.mbway).parameter(0).toEqualTypeOf<payments.MbwayInput>();
  expectTypeOf(client.mbway).returns.resolves.toEqualTypeOf<payments.MbwayOutput>();
  expectTypeOf(client.multibanco).parameter(0).toEqualTypeOf<payments.MultibancoInput>();
  expectTypeOf(client.multibanco).returns.resolves.toEqualTypeOf<payments.MultibancoOutput>();
  expectTypeOf(client.status).parameter(0).toEqualTypeOf<payments.StatusInput>();
  expectTypeOf(client.status).returns.resolves.toEqualTypeOf<payments.StatusOutput>();
  expectTypeOf(client.methods).returns.resolves.toEqualTypeOf<payments.MethodsOutput>();
  expectTypeOf<ErrorCode>().extract<'BANK_OUTCOME_UNKNOWN'>().toEqualTypeOf<'BANK_OUTCOME_UNKNOWN'>();
});

test('the kind of an event determines the type of its data', () => {
  type Data<K extends WebhookEvent['event']> = Extract<WebhookEvent, { event: K }>['data'];
  expectTypeOf<Data<'payment.success'>['paidAt']>().toEqualTypeOf<string>();
  expectTypeOf<Data<'payment.success'>['paymentMethod']>().toEqualTypeOf<'MBWAY' | 'REFERENCE'>();
  expectTypeOf<Data<'payment.failed'>['status']>().toEqualTypeOf<'failed'>();
  expectTypeOf<Data<'webhook.test'>['paymentMethod']>().toEqualTypeOf<null>();
});

test('the router type for tRPC clients is that of the server', () => {
  type Inputs = inferRouterInputs<AppRouter>['payments'];
  type ServerInputs = inferRouterInputs<ServerRouter>['payments'];
  expectTypeOf<keyof Inputs>().toEqualTypeOf<keyof ServerInputs>();
  expectTypeOf<Omit<Inputs, 'init'>>().toEqualTypeOf<Omit<ServerInputs, 'init'>>();
  expectTypeOf<Inputs['init']>().toExtend<ServerInputs['init']>();
  expectTypeOf<inferRouterOutputs<AppRouter>>().toEqualTypeOf<inferRouterOutputs<ServerRouter>>();
  type Checkout = inferRouterInputs<AppRouter>['checkout'];
  type ServerCheckout = inferRouterInputs<ServerRouter>['checkout'];
  expectTypeOf<keyof Checkout>().toEqualTypeOf<keyof ServerCheckout>();
  expectTypeOf<Checkout['session']>().toEqualTypeOf<ServerCheckout['session']>();
  expectTypeOf<Checkout['createSession']>().toExtend<ServerCheckout['createSession']>();
  type ServerError = inferRouterError<ServerRouter>;
  expectTypeOf<inferRouterError<AppRouter>['data']>().branded.toEqualTypeOf<ServerError['data']>();
  expectTypeOf<inferRouterError<AppRouter>['code']>().toEqualTypeOf<ServerError['code']>();
});
