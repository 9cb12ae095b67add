import { mutation, query } from '../rpc/operation.ts';
import {
  InitInput,
  InitOutput,
  MbwayInput,
  MbwayOutput,
  MethodsOutput,
  MultibancoInput,
  MultibancoOutput,
  StatusInput,
  StatusOutput,
} from './contract.ts';
import { initTransaction } from './init.ts';
import { startMbway } from './mbway.ts';
import { listMethods } from './methods.ts';
import { startMultibanco } from './multibanco.ts';
import { ROUTES } from './routes.ts';
import { readStatus } from './status.ts';

export const paymentOperations = {
  init: mutation({
    meta: ROUTES.init,
    input: InitInput,
    output: InitOutput,
    idempotent: true,
    run: (ctx, input) => initTransaction(ctx.deps, ctx.merchant, input, ctx),
  }),
  mbway: mutation({
    meta: ROUTES.mbway,
    input: MbwayInput,
    output: MbwayOutput,
    run: ({ deps, merchant }, input) => startMbway(deps, merchant, input),
  }),
  multibanco: mutation({
    meta: ROUTES.multibanco,
    input: MultibancoInput,
    output: MultibancoOutput,
    run: ({ deps, merchant }, input) => startMultibanco(deps, merchant, input),
  }),
  status: query({
    meta: ROUTES.status,
    input: StatusInput,
    output: StatusOutput,
    run: ({ deps, merchant }, input) => readStatus(deps, merchant, input),
  }),
  methods: query({ meta: ROUTES.methods, input: null, output: MethodsOutput, run: () => listMethods() }),
};
