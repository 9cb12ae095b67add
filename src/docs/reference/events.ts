import { EVENT_KINDS, EVENT_PAYLOADS } from '../../webhooks/contract.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { exampleEventBody, exampleEventHeaders } from '../openapi/examples.ts';
import { eventSchemaName } from '../openapi/webhooks.ts';
import { type Schema, schemaTable } from './schema-table.ts';

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
