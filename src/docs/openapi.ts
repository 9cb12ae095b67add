import type { FastifyInstance } from 'fastify';
import type { Settings } from '../config.ts';
import { REST_PREFIX } from '../http/paths.ts';
import { appRouter } from '../router.ts';
import { errorResponses, errorSchema } from './openapi/errors.ts';
import { headerRefs, RATE_LIMIT_HEADERS, REQUEST_PARAMETERS, RESPONSE_HEADERS } from './openapi/headers.ts';
import { OPERATIONS, type OperationNotes } from './openapi/operations.ts';
import { published, sharpen } from './openapi/schemas.ts';
import { DESCRIPTION, PAYMENTS_TEXT } from './openapi/text.ts';
import { WEBHOOKS_TEXT, webhookSchemas, webhooksSection } from './openapi/webhooks.ts';

type Json = Record<string, unknown>;

export const DOCUMENT_PATH = `${REST_PREFIX}/openapi.json`;
/** What stands for the server in the committed document. */
export const PLACEHOLDER_SERVER = `https://payments.example${REST_PREFIX}`;

/** The document, in the order in which it is written down. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly Json[];
  readonly tags: readonly Json[];
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly webhooks: Json;
  readonly components: Readonly<Record<string, Json>>;
}

/**
 * The OpenAPI 3.1 document of the merchant API. Routes and schemas come from the router; errors, headers, examples and
 * webhooks from the notes beside this file. `server` is the base address, with the version prefix.
 */
export async function createDocument(server: string): Promise<OpenApiDocument> {
  // Loaded when it is first needed: the generator would add to the time of every start.
  const { generateOpenApiDocument } = await import('trpc-to-openapi');
  const generated = generateOpenApiDocument(appRouter, { title: '', version: '', baseUrl: server });
  const schemas: Record<string, Json> = {};
  const paths = Object.fromEntries(
    Object.entries(generated.paths ?? {}).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          describe(notesOf(method, path), method, operation as Generated, schemas),
        ]),
      ),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment Collection Service',
      version: '1.0.0',
      summary: 'Collect MB WAY and Multibanco payments in EUR.',
      description: `${DESCRIPTION}\n\n## Webhooks\n${WEBHOOKS_TEXT}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags: [
      { name: 'payments', description: PAYMENTS_TEXT },
      { name: 'webhooks', description: "What the service sends to the merchant's endpoint." },
    ],
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooksSection(),
    components: {
      schemas: { ...schemas, ...(published(webhookSchemas()) as Json), Error: errorSchema },
      headers: RESPONSE_HEADERS,
      parameters: REQUEST_PARAMETERS,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: "The merchant's secret API key (`sk_…`). Never use it in frontend code.",
        },
      },
    },
  };
}

/** The parts of a generated operation that are taken over. */
interface Generated {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: unknown }>> }>
  >;
}

const JSON_TYPE = 'application/json';

function notesOf(method: string, path: string): OperationNotes {
  const notes = OPERATIONS[`${method} ${path}`];
  if (notes === undefined) throw new Error(`the document has no notes on ${method} ${path}`);
  return notes;
}

function describe(
  notes: OperationNotes,
  method: string,
  generated: Generated,
  schemas: Record<string, Json>,
): Json {
  const define = (name: string, schema: unknown) => {
    schemas[name] = sharpen(name, published(schema) as Json);
    return { $ref: `#/components/schemas/${name}` };
  };
  const request = generated.requestBody?.content[JSON_TYPE]?.schema;
  const answer = generated.responses['200']?.content[JSON_TYPE]?.schema;
  const always = ['X-Request-Id', ...(method === 'post' ? RATE_LIMIT_HEADERS : [])] as const;
  const query = (generated.parameters ?? []).map((parameter) => ({
    ...parameter,
    example: notes.query?.[String(parameter.name)],
  }));
  const headers = notes.parameters.map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    operationId: notes.operationId,
    summary: generated.summary,
    description: notes.description,
    tags: generated.tags,
    parameters: [...query, ...headers],
    ...(request !== undefined && {
      requestBody: {
        required: true,
        content: {
          [JSON_TYPE]: { schema: define(`${notes.schema}Request`, request), examples: notes.requests },
        },
      },
    }),
    responses: {
      200: {
        description: notes.success,
        headers: headerRefs([...always, ...notes.successHeaders]),
        content: {
          [JSON_TYPE]: { schema: define(`${notes.schema}Response`, answer), examples: notes.answers },
        },
      },
      ...errorResponses(notes.codes, always, notes.errors),
    },
  };
}

/** GET /api/v1/openapi.json, for anybody. Made at the first request and kept. */
export function documentRoutes(options: {
  readonly settings: Pick<Settings, 'publicUrl'>;
}): (server: FastifyInstance) => Promise<void> {
  // A relative server is read from where the document was fetched, which is right behind any proxy.
  const server = `${options.settings.publicUrl ?? ''}${REST_PREFIX}`;
  let made: Promise<string> | undefined;
  return async (app) => {
    app.get(DOCUMENT_PATH, { exposeHeadRoute: false }, async (_request, reply) => {
      made ??= createDocument(server).then((document) => JSON.stringify(document));
      return reply.type('application/json; charset=utf-8').send(await made);
    });
  };
}
