import { expect, test } from 'vitest';
import { run } from '../support/process.ts';

const MANY = 2000;

/** Runs a program that logs `count` numbered lines at once and then runs `end`, with `reader` behind its standard output. */
async function logged(count: number, end: string, reader: string): Promise<number[]> {
  const code = `
    const { createLogger } = await import('./src/log.ts');
    process.stdout.on('error', () => {});
    const log = createLogger({ logLevel: 'info' });
    for (let i = 0; i < ${count}; i += 1) log.info({ i }, 'é'.repeat(50));
    ${end}`;
  const script = `"$0" --input-type=module -e "$1" | ${reader}`;
  const program = run('-c', [script, process.execPath, code], {}, { command: 'sh' });
  expect(await program.ended).toBe(0);
  return program
    .out()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).i);
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test.each([
  ['an exit', 'process.exit(0)'],
  ['a kill', "process.kill(process.pid, 'SIGKILL')"],
])('%s loses no line and keeps the order', async (_, end) => {
  expect(await logged(3, end, 'cat')).toEqual(numbers(3));
});

test('a reader that is slow at the exit gets whole lines, in order, to the last', async () => {
  expect(await logged(MANY, 'process.exit(0)', '(sleep 0.3; cat)')).toEqual(numbers(MANY));
});
