import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type * as wire from './contract.ts';

/** The error of a tRPC call, as `error.shape` and, its data, as `error.data`. */
export interface TrpcErrorShape {
  message: string;
  /** tRPC's own number; the service's code is `data.code`. */
  code: -32600 | -32603 | -32001 | -32003 | -32004 | -32029;
  data: {
    error: string;
    code: wire.ErrorCode;
    fields?: readonly string[];
    requestId: string;
    httpStatus: 400 | 401 | 403 | 404 | 429 | 500 | 502;
  };
}

type Mutation<Input, Output> = TRPCMutationProcedure<{ meta: object; input: Input; output: Output }>;
type Query<Input, Output> = TRPCQueryProcedure<{ meta: object; input: Input; output: Output }>;

/**
 * The type of the service's router for tRPC clients: `createTRPCClient<AppRouter>`. The server's own type would import the
 * types of the server's dependencies.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: TrpcErrorShape; transformer: false },
  {
    payments: {
      init: Mutation<wire.InitInput, wire.InitOutput>;
      mbway: Mutation<wire.MbwayInput, wire.MbwayOutput>;
      multibanco: Mutation<wire.MultibancoInput, wire.MultibancoOutput>;
      status: Query<wire.StatusInput, wire.StatusOutput>;
      methods: Query<void, wire.MethodsOutput>;
    };
    checkout: {
      createSession: Mutation<wire.CreateSessionInput, wire.CreateSessionOutput>;
      session: Query<wire.SessionInput, wire.SessionOutput>;
    };
  }
>;
