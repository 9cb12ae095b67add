import type { OpenApiMeta } from 'trpc-to-openapi';
import type { ZodType, z } from 'zod';
import type { RequestContext } from './context.ts';

export interface InputIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An operation of the merchant API: REST, tRPC and the OpenAPI document are made from it. */
export interface Operation<
  Kind extends 'query' | 'mutation' = 'query' | 'mutation',
  Input extends ZodType | null = ZodType | null,
  Output extends ZodType = ZodType,
> {
  readonly kind: Kind;
  /** The REST address and the texts of the OpenAPI document. */
  readonly meta: OpenApiMeta;
  /** Null when the operation takes no input. */
  readonly input: Input;
  readonly output: Output;
  /** Whether the operation honours Idempotency-Key; false when absent. */
  readonly idempotent?: boolean;
  /** Finds faults of the normalised input that a schema cannot detect. They are reported with those of the schema. */
  faults?(ctx: RequestContext, input: unknown): Promise<readonly InputIssue[]>;
  run(ctx: RequestContext, input: InputOf<Input>): z.output<Output> | Promise<z.output<Output>>;
}

type InputOf<Input> = Input extends ZodType ? z.output<Input> : undefined;

/** Operations by group and name: `{ payments: { init } }` is `payments.init`. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The REST address of an operation and its documentation, in Markdown; `success` describes the 200 response. */
export function route(
  method: 'GET' | 'POST',
  path: `/${string}`,
  operationId: string,
  tag: string,
  { success, ...text }: { summary: string; description: string; success: string },
): OpenApiMeta {
  return {
    openapi: { method, path, operationId, protect: true, tags: [tag], successDescription: success, ...text },
  };
}

/** An operation that changes nothing. */
export function query<Input extends ZodType | null, Output extends ZodType>(
  operation: Omit<Operation<'query', Input, Output>, 'kind'>,
): Operation<'query', Input, Output> {
  return { kind: 'query', ...operation };
}

/** An operation that changes something. */
export function mutation<Input extends ZodType | null, Output extends ZodType>(
  operation: Omit<Operation<'mutation', Input, Output>, 'kind'>,
): Operation<'mutation', Input, Output> {
  return { kind: 'mutation', ...operation };
}
