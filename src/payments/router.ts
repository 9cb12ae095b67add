import { createRouter, merchantProcedure } from '../rpc/trpc.ts';
import {
  InitInput,
  InitOutput,
  MbwayInput,
  MbwayOutput,
  MethodsOutput,
  MultibancoInput,
  MultibancoOutput,
  ROUTES,
  StatusInput,
  StatusOutput,
} from './contract.ts';
import { initTransaction } from './init.ts';
import { startMbway } from './mbway.ts';
import { listMethods } from './methods.ts';
import { startMultibanco } from './multibanco.ts';
import { readStatus } from './status.ts';

export const paymentsRouter = createRouter({
  init: merchantProcedure
    .meta({ ...ROUTES.init, idempotent: true })
    .input(InitInput)
    .output(InitOutput)
    .mutation(({ ctx, input }) => initTransaction(ctx.deps, ctx.merchant, input, ctx)),

  mbway: merchantProcedure
    .meta(ROUTES.mbway)
    .input(MbwayInput)
    .output(MbwayOutput)
    .mutation(({ ctx, input }) => startMbway(ctx.deps, ctx.merchant, input)),

  multibanco: merchantProcedure
    .meta(ROUTES.multibanco)
    .input(MultibancoInput)
    .output(MultibancoOutput)
    .mutation(({ ctx, input }) => startMultibanco(ctx.deps, ctx.merchant, input)),

  status: merchantProcedure
    .meta(ROUTES.status)
    .input(StatusInput)
    .output(StatusOutput)
    .query(({ ctx, input }) => readStatus(ctx.deps, ctx.merchant, input)),

  methods: merchantProcedure
    .meta(ROUTES.methods)
    .output(MethodsOutput)
    .query(() => listMethods()),
});
