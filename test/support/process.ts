import { onTestFinished } from 'vitest';
import { endProgram, type Program, startProgram } from './program.ts';

export { freePort, type Program, ready } from './program.ts';

/** Runs a file of src as a process that ends with the test. */
export function run(...start: Parameters<typeof startProgram>): Program {
  const program = startProgram(...start);
  onTestFinished(() => endProgram(program));
  return program;
}
