import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { REST_PREFIX } from '../../http/paths.ts';
import { operations } from '../../router.ts';
import { createRouter } from '../../rpc/trpc.ts';
import { type ErrorTexts, errorResponses, errorSchema, OPERATION_CODES, OWN_EXAMPLES } from './errors.ts';
import { EXAMPLES, type OperationName } from './examples.ts';
import {
  headerRefs,
  type Json,
  RATE_LIMIT_HEADERS,
  REQUEST_PARAMETERS,
  RESPONSE_HEADERS,
} from './headers.ts';
import { webhookSchemas, webhooksSection } from './webhooks.ts';

/** The server address in the committed document. */
export const PLACEHOLDER_SERVER = `https://payments.example${REST_PREFIX}`;

const appRouter = createRouter({ payments: operations.payments });

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Json[];
  readonly responses: Readonly<Record<string, Json & { readonly description: string }>>;
}

/** The document, with its members in the published order. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly Json[];
  readonly tags: readonly Json[];
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Json;
  readonly components: Readonly<Record<string, Json>>;
}

/**
 * Returns the OpenAPI 3.1 document of the merchant API. Routes and schemas come from the router; this folder adds
 * errors, headers, examples and webhooks. `server` is the base address with the version prefix.
 */
export function createDocument(server: string): OpenApiDocument {
  const generated = generateOpenApiDocument(appRouter, { title: '', version: '', baseUrl: server });
  const schemas: Record<string, Json> = {};
  const paths = describePaths(generated.paths, (path, method, operation) => {
    const name = operationName(path);
    const { idempotent = false } = operations.payments[name];
    const own = { ...EXAMPLES[name], codes: OPERATION_CODES[name], errors: OWN_EXAMPLES[name], idempotent };
    return describe(name, method, own, operation, schemas);
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment Collection Service',
      version: '1.0.0',
      summary: 'Collect MB WAY and Multibanco payments in EUR.',
      description: `${text('introduction')}\n\n## Webhooks\n${text('webhooks')}`,
      contact: { name: 'The operator of the service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags: [
      { name: 'payments', description: 'Create a transaction, start a payment method, read the status.' },
      { name: 'webhooks', description: 'The requests that the service sends to your endpoint.' },
    ],
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooksSection(),
    components: components({ ...schemas, ...(published(webhookSchemas()) as Json) }),
  };
}

/** The generated paths with each operation described. */
export function describePaths(
  paths: Readonly<Record<string, object>> | undefined,
  describe: (path: string, method: string, operation: Generated) => Operation,
): OpenApiDocument['paths'] {
  const describeItem = (path: string, item: object) =>
    Object.entries(item).map(([method, operation]) => [method, describe(path, method, operation)]);
  return Object.fromEntries(
    Object.entries(paths ?? {}).map(([path, item]) => [path, Object.fromEntries(describeItem(path, item))]),
  );
}

export function components(schemas: Json): Readonly<Record<string, Json>> {
  return {
    schemas: { ...schemas, ApiError: errorSchema },
    headers: RESPONSE_HEADERS,
    parameters: REQUEST_PARAMETERS,
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'Your secret API key (`sk_…`). Never use it in frontend code.',
      },
    },
  };
}

/** The last part of an operation's path, which is the name of its procedure. */
export function operationName(path: string): OperationName {
  const name = path.split('/').at(-1) ?? '';
  if (!(name in EXAMPLES)) throw new Error(`The OpenAPI document has no examples for ${path}.`);
  return name as OperationName;
}

/** The name of an operation's request or response schema: `InitRequest`. */
export function schemaName(name: string, part: 'Request' | 'Response'): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}${part}`;
}

type Content = Readonly<Record<string, { readonly schema: unknown }>>;

/** The members of a generated operation that the document uses. */
interface Generated extends Pick<Operation, 'operationId' | 'summary' | 'description' | 'tags'> {
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}

const JSON_TYPE = 'application/json';

/** The documentation of an operation besides its routes and schemas. */
export interface Described extends ErrorTexts {
  readonly requests: unknown;
  readonly responses: unknown;
  readonly idempotent: boolean;
}

export function describe(
  name: string,
  method: string,
  described: Described,
  generated: Generated,
  schemas: Record<string, Json>,
): Operation {
  const body = (part: 'Request' | 'Response', content: Content | undefined, examples: unknown) => {
    const schema = schemaName(name, part);
    schemas[schema] = published(content?.[JSON_TYPE]?.schema) as Json;
    return { content: { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${schema}` }, examples } } };
  };
  const { requests, responses, idempotent } = described;
  const always = ['X-Request-Id', ...(method === 'post' ? RATE_LIMIT_HEADERS : [])] as const;
  const headers = [...(idempotent ? ['IdempotencyKey'] : []), 'RequestId'];
  const { operationId, summary, description, tags, requestBody } = generated;
  const success = generated.responses['200'];
  return {
    operationId,
    summary,
    description,
    tags,
    parameters: [
      ...(generated.parameters ?? []),
      ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ],
    ...(requestBody && {
      requestBody: { required: true, ...body('Request', requestBody.content, requests) },
    }),
    responses: {
      200: {
        description: success?.description ?? '',
        headers: headerRefs([...always, ...(idempotent ? (['Idempotency-Replayed'] as const) : [])]),
        ...body('Response', success?.content, responses),
      },
      ...errorResponses(described, always),
    },
  };
}

/**
 * Removes from a generated schema the bounds of a safe integer, which mean nothing to a reader, and
 * `additionalProperties: false`, because later versions can add members.
 */
function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !(name === 'additionalProperties' && member === false) &&
      !(name === 'maximum' && member === Number.MAX_SAFE_INTEGER) &&
      !(name === 'minimum' && member === Number.MIN_SAFE_INTEGER),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, published(member)]));
}

/** An introduction of a document, in Markdown. */
export function text(name: 'introduction' | 'webhooks' | 'checkout'): string {
  return readFileSync(join(import.meta.dirname, '../content/api', `${name}.md`), 'utf8').trimEnd();
}
