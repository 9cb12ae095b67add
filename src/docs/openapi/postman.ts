import { type OpenApiDocument, type Operation, operationName } from './document.ts';
import { EXAMPLES } from './examples.ts';
import type { Json } from './headers.ts';

/** The values of the committed collection: a service with the default settings, and the phone that accepts every push. */
export const SANDBOX_VALUES = { baseUrl: 'http://127.0.0.1:8080/api/v1', phoneNumber: '911000001' };
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Keeps the transaction of `init` for the requests after it. */
const KEEP_TRANSACTION = [
  'const { transactionId } = pm.response.json();',
  "if (transactionId) pm.collectionVariables.set('transactionId', transactionId);",
];

/** Returns a Postman collection (v2.1) with a request for every operation of the document. */
export function createCollection(
  document: OpenApiDocument,
  { baseUrl, phoneNumber }: typeof SANDBOX_VALUES,
): Json {
  const requests = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => requestOf(path, method, operation)),
  );
  return {
    info: { name: document.info.title, description: document.info.summary, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    item: requests,
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'apiKey', value: '' },
      { key: 'transactionId', value: '' },
      { key: 'phoneNumber', value: phoneNumber },
    ],
  };
}

function requestOf(path: string, method: string, operation: Operation): Json {
  const name = operationName(path);
  const body = requestBody(name);
  const query = operation.parameters.flatMap((parameter) =>
    parameter.in === 'query' ? [{ key: parameter.name, value: `{{${parameter.name}}}` }] : [],
  );
  const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    name: operation.summary,
    ...(name === 'init' && { event: [{ listen: 'test', script: { exec: KEEP_TRANSACTION } }] }),
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      header: body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `{{baseUrl}}${path}${search === '' ? '' : `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        ...(query.length > 0 && { query }),
      },
      ...(body !== null && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
  };
}

/** The first example of an operation's request, with the variables of the collection; null without a body. */
function requestBody(name: keyof typeof EXAMPLES): Json | null {
  const [example] = Object.values<{ value: object }>(EXAMPLES[name].requests);
  if (example === undefined) return null;
  return {
    ...example.value,
    ...('transactionId' in example.value && { transactionId: '{{transactionId}}' }),
    ...('phoneNumber' in example.value && { phoneNumber: '{{phoneNumber}}' }),
  };
}
