import Fastify from 'fastify';
import { KyselyStore } from './kysely-store.ts';
import { InitInput, StatusInput } from './order.ts';
import { keyOf } from './tables.ts';

/** The peer `plain`: Fastify, zod and Kysely as their documentation shows them. Takes BENCH_PORT. */
const store = new KyselyStore();
const server = Fastify();

server.get('/', async () => ({ status: 'ok' }));

server.post('/api/v1/payments/init', async (request, reply) => {
  const merchantId = await store.merchantOf(keyOf(request.headers.authorization));
  if (merchantId === null) return reply.code(401).send({ error: 'key invalid' });
  const input = InitInput.safeParse(request.body);
  if (!input.success) return reply.code(400).send({ error: input.error.message });
  if (!(await store.ownsDomain(merchantId, new URL(input.data.storeUrl).hostname))) {
    return reply.code(403).send({ error: 'DOMAIN_NOT_ALLOWED' });
  }
  return await store.create(merchantId, input.data);
});

server.get('/api/v1/payments/status', async (request, reply) => {
  const merchantId = await store.merchantOf(keyOf(request.headers.authorization));
  if (merchantId === null) return reply.code(401).send({ error: 'key invalid' });
  const input = StatusInput.safeParse(request.query);
  if (!input.success) return reply.code(400).send({ error: input.error.message });
  const found = await store.status(merchantId, input.data.transactionId);
  return found ?? reply.code(404).send({ error: 'not found' });
});

await server.listen({ host: '127.0.0.1', port: Number(process.env.BENCH_PORT) });
