import type { AnyTRPCRouter } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';

export interface ProcedureRoute {
  /** `payments.init`. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  /** Its address under the REST prefix; null when it has none. */
  readonly rest: { readonly method: string; readonly path: string } | null;
}

/** The procedures of a router, each with the address that its metadata give it. */
export function listProcedures(router: AnyTRPCRouter): ProcedureRoute[] {
  const procedures = router._def.procedures as Record<string, { _def: { type: string; meta?: OpenApiMeta } }>;
  return Object.entries(procedures).map(([name, { _def }]) => {
    if (_def.type !== 'query' && _def.type !== 'mutation') throw new Error(`${name} is a ${_def.type}`);
    const openapi = _def.meta?.openapi;
    return { name, kind: _def.type, rest: openapi ? { method: openapi.method, path: openapi.path } : null };
  });
}
