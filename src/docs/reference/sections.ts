import { errorAnchor } from '../../http/error-help.ts';
import { EVENT_KINDS } from '../../kernel/payment-enums.ts';
import { EVENT_PAYLOADS } from '../../webhooks/contract.ts';
import { type OpenApiDocument, type Operation, operationName, schemaName } from '../openapi/document.ts';
import { OPERATION_CODES } from '../openapi/errors.ts';
import { EXAMPLES, exampleEventBody, exampleEventHeaders } from '../openapi/examples.ts';
import { eventSchemaName } from '../openapi/webhooks.ts';
import { anchoredName, fieldTable, type Schema, schemaTable } from './schema-table.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
}

/** Returns the Markdown of every operation: description, samples, parameters, bodies and errors. */
export function operationSections(document: OpenApiDocument): string {
  return Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => section(document, method, path, operation)),
    )
    .join('\n\n');
}

function section(document: OpenApiDocument, method: string, path: string, operation: Operation): string {
  const name = operationName(path);
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const [request, response] = [schemaName(name, 'Request'), schemaName(name, 'Response')];
  const body = schemas[request];
  const examples = Object.values(EXAMPLES[name].responses) as readonly { summary: string; value: unknown }[];
  return [
    `### <span class="method">${method.toUpperCase()}</span> \`${path}\` {#${name}}`,
    operation.description,
    `{{sample ${name}}}`,
    `#### Parameters and headers {#${name}-parameters}`,
    parameterTable(document, name, operation),
    ...(body === undefined
      ? []
      : [`#### Request body {#${name}-request}`, schemaTable(request, body, 'request')]),
    `#### Response {#${name}-response}`,
    `${operation.responses['200']?.description}${name === 'init' ? replayHeader(document) : ''}`,
    schemaTable(response, schemas[response] ?? {}, 'response'),
    ...examples.map(
      ({ summary, value }) => `\`\`\`json 200: ${summary}\n${JSON.stringify(value, null, 2)}\n\`\`\``,
    ),
    `#### Errors {#${name}-errors}`,
    `In the order of the checks: ${OPERATION_CODES[name].map((code) => `[\`${code}\`](#${errorAnchor(code)})`).join(' ')}`,
  ].join('\n\n');
}

function replayHeader(document: OpenApiDocument): string {
  const headers = document.components.headers as Readonly<Record<string, { description: string }>>;
  return ` Header \`Idempotency-Replayed\`: ${headers['Idempotency-Replayed']?.description}`;
}

function parameterTable(document: OpenApiDocument, name: string, operation: Operation): string {
  const parameters = operation.parameters as readonly (Parameter | { $ref: string })[];
  const rows = parameters.map((entry) => {
    const parameter = '$ref' in entry ? resolve(document, entry.$ref) : entry;
    const mark = parameter.required === true ? 'required' : '';
    return [
      anchoredName(`${name}-${parameter.name}`, parameter.name, mark),
      parameter.in,
      parameter.description,
    ];
  });
  return fieldTable(['Name', 'In', 'Description'], rows);
}

function resolve(document: OpenApiDocument, ref: string): Parameter {
  const found = document.components.parameters?.[ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`The OpenAPI document has no ${ref}.`);
  return found as Parameter;
}

/** Returns the Markdown of every kind of event: a signed delivery, byte for byte, and its fields. */
export function eventSections(document: OpenApiDocument): string {
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  return EVENT_KINDS.map((kind) => {
    const headers = Object.entries(exampleEventHeaders(kind)).map(([name, value]) => `${name}: ${value}`);
    const name = eventSchemaName(kind);
    return [
      `### \`${kind}\` {#event-${kind}}`,
      EVENT_PAYLOADS[kind].meta()?.description,
      `\`\`\`text Delivery\n${headers.join('\n')}\n\n${exampleEventBody(kind)}\n\`\`\``,
      schemaTable(name, schemas[name] ?? {}, 'response'),
    ].join('\n\n');
  }).join('\n\n');
}
