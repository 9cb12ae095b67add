import { createServer } from 'node:http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createOpenApiHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { KyselyStore } from './kysely-store.ts';
import { InitInput, InitOutput, StatusInput, StatusOutput } from './order.ts';
import { keyOf } from './tables.ts';

/** The peer `stock`: a tRPC router served by trpc-to-openapi's own handler. Takes BENCH_PORT. */
const store = new KyselyStore();
const t = initTRPC.meta<OpenApiMeta>().context<{ authorization: string | undefined }>().create();

const merchant = t.procedure.use(async ({ ctx, next }) => {
  const merchantId = await store.merchantOf(keyOf(ctx.authorization));
  if (merchantId === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
  return next({ ctx: { merchantId } });
});

const router = t.router({
  ready: t.procedure
    .meta({ openapi: { method: 'GET', path: '/' } })
    .output(StatusInput.partial())
    .query(() => ({})),
  init: merchant
    .meta({ openapi: { method: 'POST', path: '/api/v1/payments/init' } })
    .input(InitInput)
    .output(InitOutput)
    .mutation(async ({ ctx, input }) => {
      if (!(await store.ownsDomain(ctx.merchantId, new URL(input.storeUrl).hostname))) {
        throw new TRPCError({ code: 'FORBIDDEN' });
      }
      return await store.create(ctx.merchantId, input);
    }),
  status: merchant
    .meta({ openapi: { method: 'GET', path: '/api/v1/payments/status' } })
    .input(StatusInput)
    .output(StatusOutput)
    .query(async ({ ctx, input }) => {
      const found = await store.status(ctx.merchantId, input.transactionId);
      if (found === null) throw new TRPCError({ code: 'NOT_FOUND' });
      return found;
    }),
});

const handler = createOpenApiHttpHandler({
  router,
  // It hands over a Request of the Fetch standard, whatever its types say.
  createContext: ({ req }: { req: unknown }) => ({
    authorization: (req as Request).headers.get('authorization') ?? undefined,
  }),
});

createServer((request, response) => void handler(request, response)).listen(
  Number(process.env.BENCH_PORT),
  '127.0.0.1',
);
