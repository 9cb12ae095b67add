import { errorAnchor, REFERENCE_PATH } from '../../http/error-help.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { description, type Html, html, sentence } from '../html.ts';
import { OPERATIONS, type OperationNotes } from '../openapi/operations.ts';
import type { OpenApiDocument } from '../openapi.ts';
import type { Language } from '../pages.ts';
import { codeBlock, sampleTabs } from '../samples.ts';
import { type Schema, schemaTable } from './schema-table.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** The anchor of an operation, without `#`: the name of its procedure. */
function operationAnchor(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Every operation of the document: what it does, takes, answers and refuses, and how it is called. */
export function operationSections(document: OpenApiDocument): Html {
  const sections = Object.entries(OPERATIONS).map(([key, notes]) => {
    const [method = '', path = ''] = key.split(' ');
    return section(document, method, path, notes);
  });
  return html`${sections}`;
}

const IN_PORTUGUESE: Readonly<Record<string, string>> = {
  init: 'Criar uma transação',
  mbway: 'Enviar um pedido MB WAY',
  multibanco: 'Gerar uma referência Multibanco',
  status: 'Ler o estado guardado',
  methods: 'Listar os métodos de pagamento',
};

/** A row for each operation, for a first look. */
export function operationList(document: OpenApiDocument, language: Language): Html {
  const rows = Object.keys(OPERATIONS).map((key) => {
    const [method = '', path = ''] = key.split(' ');
    const own = language === 'pt' ? IN_PORTUGUESE[operationAnchor(path)] : undefined;
    const summary = own ?? String(document.paths[path]?.[method]?.summary);
    return html`<tr><th scope="row"><a href="${REFERENCE_PATH}#${operationAnchor(path)}"><code>${method.toUpperCase()} ${path}</code></a></th><td>${summary}</td></tr>`;
  });
  return html`<table class="narrow"><tbody>${rows}</tbody></table>`;
}

function section(document: OpenApiDocument, method: string, path: string, notes: OperationNotes): Html {
  const anchor = operationAnchor(path);
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const request = schemas[`${notes.schema}Request`];
  const answer = schemas[`${notes.schema}Response`];
  return html`<section class="operation" aria-labelledby="${anchor}">
<h3 id="${anchor}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
${description(notes.description)}
${sampleTabs(anchor)}
${parameters(document, anchor, method, path)}
${request === undefined ? null : html`<h4 id="${anchor}-request">Request body</h4>${schemaTable(`${notes.schema}Request`, request, true)}`}
${answer === undefined ? null : html`<h4 id="${anchor}-answer">Answer</h4><p>${sentence(notes.success)}</p>${answerHeaders(document, notes)}${schemaTable(`${notes.schema}Response`, answer, false)}`}
${Object.values(notes.answers).map(({ summary, value }) => codeBlock(JSON.stringify(value, null, 2), 'json', `200: ${summary}`))}
<h4 id="${anchor}-errors">Errors</h4>
<p>In the order in which they are checked: ${notes.codes.map(errorLink)}</p>
</section>`;
}

/** Those that this operation has besides the ones that every answer carries. */
function answerHeaders(document: OpenApiDocument, { successHeaders }: OperationNotes): Html {
  const headers = document.components.headers as Readonly<Record<string, { description: string }>>;
  return html`${successHeaders.map((name) => html`<p>Header <code>${name}</code>: ${sentence(headers[name]?.description ?? '')}</p>`)}`;
}

function errorLink(code: ErrorCode): Html {
  return html`<a class="code-link" href="#${errorAnchor(code)}"><code>${code}</code></a>`;
}

function parameters(document: OpenApiDocument, anchor: string, method: string, path: string): Html {
  const given = (document.paths[path]?.[method]?.parameters ?? []) as readonly (
    | Parameter
    | { $ref: string }
  )[];
  const rows = given.map((entry) => {
    const parameter = '$ref' in entry ? resolve(document, entry.$ref) : entry;
    const { name, required, description: text } = parameter;
    const id = `${anchor}-${name}`;
    return html`<tr id="${id}"><th scope="row"><a class="anchor" href="#${id}"><code>${name}</code></a>${required === true ? html` <span class="required">required</span>` : null}</th><td>${parameter.in}</td><td>${sentence(text)}</td></tr>`;
  });
  return html`<h4 id="${anchor}-parameters">Parameters and headers</h4>
<table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Notes</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function resolve(document: OpenApiDocument, ref: string): Parameter {
  const found = document.components.parameters?.[ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document has no ${ref}`);
  return found as unknown as Parameter;
}
