import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type {
  CreateSessionInput,
  CreateSessionOutput,
  ErrorCode,
  InitInput,
  InitOutput,
  MbwayInput,
  MbwayOutput,
  MethodsOutput,
  MultibancoInput,
  MultibancoOutput,
  SessionInput,
  SessionOutput,
  StatusInput,
  StatusOutput,
} from './contract.ts';

/** The error of a tRPC call, as `error.shape` and, its data, as `error.data`. */
export interface TrpcErrorShape {
  message: string;
  /** tRPC's own number; the service's code is `data.code`. */
  code: -32600 | -32603 | -32001 | -32003 | -32004 | -32029;
  data: {
    error: string;
    code: ErrorCode;
    fields?: readonly string[];
    requestId: string;
    httpStatus: 400 | 401 | 403 | 404 | 429 | 500 | 502;
  };
}

/**
 * The type of the service's router for tRPC clients: `createTRPCClient<AppRouter>`. The server's own type would import the
 * types of the server's dependencies.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: TrpcErrorShape; transformer: false },
  {
    payments: {
      init: TRPCMutationProcedure<{ meta: object; input: InitInput; output: InitOutput }>;
      mbway: TRPCMutationProcedure<{ meta: object; input: MbwayInput; output: MbwayOutput }>;
      multibanco: TRPCMutationProcedure<{ meta: object; input: MultibancoInput; output: MultibancoOutput }>;
      status: TRPCQueryProcedure<{ meta: object; input: StatusInput; output: StatusOutput }>;
      // biome-ignore lint/suspicious/noConfusingVoidType: tRPC's word for a procedure without input
      methods: TRPCQueryProcedure<{ meta: object; input: void; output: MethodsOutput }>;
    };
    checkout: {
      createSession: TRPCMutationProcedure<{
        meta: object;
        input: CreateSessionInput;
        output: CreateSessionOutput;
      }>;
      session: TRPCQueryProcedure<{ meta: object; input: SessionInput; output: SessionOutput }>;
    };
  }
>;
