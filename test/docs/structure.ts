import { z } from 'zod';

/** The parts of OpenAPI 3.1 that our document uses, as closed objects: a misplaced or misspelt member is refused. */
const ref = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const or = <T extends z.ZodType>(type: T) => z.union([ref, type]);
const schema = z
  .record(z.string(), z.unknown())
  .refine((value) => !('nullable' in value) && !('example' in value), {
    error: 'nullable and example belong to OpenAPI 3.0',
  });

const example = z.strictObject({ summary: z.string().optional(), value: z.unknown() });
const mediaType = z.strictObject({
  schema,
  examples: z.record(z.string(), example).optional(),
});
const content = z.strictObject({ 'application/json': mediaType });
const header = z.strictObject({ description: z.string(), required: z.boolean().optional(), schema });
const parameter = z.strictObject({
  name: z.string().refine((name) => !/^(accept|content-type|authorization)$/i.test(name), 'is ignored there'),
  in: z.enum(['query', 'header', 'path', 'cookie']),
  description: z.string(),
  required: z.boolean().optional(),
  schema,
  example: z.string().optional(),
});
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), or(header)).optional(),
  content: content.optional(),
});
const security = z.record(z.string(), z.array(z.string()));
const operation = z.strictObject({
  operationId: z.string().regex(/^[A-Za-z]+$/),
  summary: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string()).min(1),
  security: z.array(security).optional(),
  parameters: z.array(or(parameter)),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|[1-5]XX|default)$/), response),
});
const pathItem = z.strictObject({ get: operation.optional(), post: operation.optional() });

export const openApiStructure = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    summary: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })).length(1),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  security: z.array(security),
  paths: z.record(z.string().startsWith('/'), pathItem),
  webhooks: z.record(z.string(), pathItem),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema),
    headers: z.record(z.string(), header),
    parameters: z.record(z.string(), parameter),
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer'), description: z.string() }),
    ),
  }),
});

export type OpenApiStructure = z.infer<typeof openApiStructure>;
export type Operation = z.infer<typeof operation>;
