import { join } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import * as checkout from '../../src/checkout/contract.ts';
import * as payments from '../../src/payments/contract.ts';
import { EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';

/**
 * Creates the type declarations of the client's exports. The contract's types are expanded, with the schemas'
 * descriptions as comments, so that they import neither a schema library nor the server.
 */
const CLIENT = join(import.meta.dirname, '../../src/client');
const ENTRIES = ['client.d.ts', 'webhooks.d.ts', 'router.d.ts'];
const CONTRACT = join(CLIENT, 'contract.ts');

/** The part of a JSON schema with descriptions. */
interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

/** The schemas of the exported types, by type name. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    Object.entries({ ...payments, ...checkout }).filter((entry) => entry[1] instanceof z.ZodType),
  ),
  WebhookEvent: z.union(Object.values(EVENT_PAYLOADS)),
};

/** File names in the client's folder, and their texts. */
export async function emitDeclarations(): Promise<Map<string, string>> {
  const program = ts.createProgram(
    ENTRIES.map((entry) => join(CLIENT, entry.replace('.d.ts', '.ts'))),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ['node'],
      allowImportingTsExtensions: true,
      declaration: true,
      emitDeclarationOnly: true,
    },
  );
  const emitted = new Map<string, string>();
  for (const source of program.getSourceFiles()) {
    const name = source.fileName.slice(CLIENT.length + 1);
    if (!source.fileName.startsWith(CLIENT)) continue;
    if (source.fileName === CONTRACT) {
      emitted.set('contract.d.ts', writtenOut(program, source));
      continue;
    }
    program.emit(source, (_file, text) => {
      emitted.set(name.replace(/\.ts$/, '.d.ts'), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
    });
  }
  return reachable(emitted);
}

function reachable(emitted: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (file: string) => {
    const text = emitted.get(file);
    if (text === undefined) throw new Error(`no declarations were made for ${file}`);
    if (found.has(file)) return;
    found.set(file, text);
    for (const [, name] of text.matchAll(/from '\.\/([\w-]+)\.js'/g)) visit(`${name}.d.ts`);
  };
  for (const entry of ENTRIES) visit(entry);
  return found;
}

function writtenOut(program: ts.Program, source: ts.SourceFile): string {
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter();
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.NodeBuilderFlags;
  const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals;
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration).filter(isExported);
  const texts = aliases.map((alias) => {
    const node = checker.typeToTypeNode(checker.getTypeAtLocation(alias.name), undefined, flags);
    if (node === undefined) throw new Error(`the type ${alias.name.text} cannot be written`);
    const schema = SCHEMAS[alias.name.text];
    if (schema !== undefined) describe(node, z.toJSONSchema(schema) as Described);
    const written = ts.factory.createTypeAliasDeclaration(alias.modifiers, alias.name.text, undefined, node);
    return `${printer.printNode(ts.EmitHint.Unspecified, written, source)}\n`;
  });
  const text = texts.join('');
  if (/\bimport\(|\bz\.|\bany\b/.test(text)) throw new Error(`the contract is not written out:\n${text}`);
  return text;
}

function isExported(alias: ts.TypeAliasDeclaration): boolean {
  return alias.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** Adds the descriptions of a schema to the members of its type. */
function describe(node: ts.TypeNode, schema: Described | undefined): void {
  if (schema === undefined) return;
  if (ts.isArrayTypeNode(node)) describe(node.elementType, schema.items);
  if (ts.isUnionTypeNode(node)) {
    for (const [at, type] of node.types.entries()) describe(type, schema.anyOf?.[at]);
  }
  if (!ts.isTypeLiteralNode(node)) return;
  for (const member of node.members) {
    if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name)) continue;
    const property = schema.properties?.[member.name.text];
    if (property?.description !== undefined) {
      const text = `* ${property.description} `;
      ts.addSyntheticLeadingComment(member, ts.SyntaxKind.MultiLineCommentTrivia, text, true);
    }
    if (member.type !== undefined) describe(member.type, property);
  }
}
