import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import type { createEndpoints } from './endpoints.ts';
import { mountPages } from './pages.ts';
import { DOWNLOADS, PROCEDURES } from './paths.ts';

/**
 * The back office below /backoffice: its pages, procedures and downloads. Its code is loaded at the first call, because it would
 * add to the start time and to idle memory.
 */
export function backofficePlugin({ deps }: { readonly deps: Deps }) {
  let loaded: Promise<ReturnType<typeof createEndpoints>> | undefined;
  const endpoints = () => {
    loaded ??= import('./endpoints.ts').then((module) => module.createEndpoints(deps));
    return loaded;
  };
  return async (server: FastifyInstance): Promise<void> => {
    await server.register(cookie);
    server.route({
      method: ['GET', 'POST'],
      url: `${PROCEDURES}/*`,
      handler: async (request, reply) => (await endpoints()).procedure(request, reply),
    });
    server.get(`${DOWNLOADS}/*`, async (request, reply) => (await endpoints()).download(request, reply));
    await mountPages(server);
  };
}
