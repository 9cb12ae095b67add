import { onTestFinished } from 'vitest';
import { endProgram, type Program, startProgram } from './program.ts';

export { freePort, type Program, ready } from './program.ts';

/** Runs a file of src as a process of its own, ended by its own pid when the test is over. */
export function run(...start: Parameters<typeof startProgram>): Program {
  const program = startProgram(...start);
  onTestFinished(() => endProgram(program));
  return program;
}
