import cookie from '@fastify/cookie';
import type { AnyTRPCRouter } from '@trpc/server';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { type Built, readBuilt } from './door/built.ts';
import { mountExports } from './door/export-door.ts';
import { mountPages } from './door/pages.ts';
import { mountProcedures } from './door/procedure-door.ts';
import type { ExportRoute } from './export-route.ts';
import { EXPORTS } from './exports.ts';
import { createThrottle } from './people/throttle.ts';
import { backofficeRouter } from './router.ts';

export interface DoorOptions {
  readonly deps: Deps;
  /** What the pages call, what they download, and the pages; tests give others. */
  readonly router?: AnyTRPCRouter;
  readonly exports?: readonly ExportRoute[];
  readonly built?: Built | null;
}

/** The back office's door: pages and their files, procedures, downloads; everything below /backoffice. */
export function backofficeDoor(options: DoorOptions): (server: FastifyInstance) => Promise<void> {
  const { deps, router = backofficeRouter, exports = EXPORTS, built = readBuilt() } = options;
  const tools = { deps, throttle: createThrottle() };
  return async (server) => {
    await server.register(cookie);
    mountProcedures(server, tools, router);
    mountExports(server, tools, exports);
    mountPages(server, built);
  };
}
