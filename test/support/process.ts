import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { listen } from './listen.ts';
import { endProgram, type Program, startProgram } from './program.ts';

export { freePort, type Program, ready } from './program.ts';

/** Runs a file of src as a process that ends with the test. */
export function run(...start: Parameters<typeof startProgram>): Program {
  const program = startProgram(...start);
  onTestFinished(() => endProgram(program));
  return program;
}

/** Runs a file that must exit with code 1 and one line on standard error. Resolves to the line. */
export async function refusalOf(...start: Parameters<typeof startProgram>): Promise<string> {
  const program = run(...start);
  expect(await program.ended).toBe(1);
  expect(program.out()).toBe('');
  expect(program.err()).toMatch(/^[^\n]+\n$/);
  return program.err();
}

/** A loopback port that accepts connections and never answers until the test is over. */
export async function takenPort(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return await listen(server);
}
