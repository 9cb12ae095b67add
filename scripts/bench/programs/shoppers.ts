import { runLoad } from '../load.ts';
import { answerQuestions } from '../questions.ts';
import { reads } from '../requests.ts';

/** A shopper loads the page once and then polls its status. */
const REQUESTS_PER_PAGE = 10;
const PAGE_OR_STATUS = /data-version="|"version":"/;

/** A message to this program: load the pages at these paths. */
export interface PageLoad {
  readonly port: number;
  readonly paths: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
  readonly perSecond: number;
}

/**
 * Simulates shoppers who load payment pages and poll their status. A separate process, so that this work does not delay the
 * measured inits. Answers each message with a LoadResult.
 */
answerQuestions(({ port, paths, ...load }: PageLoad) => {
  const path = (n: number) => `${paths[n % paths.length]}${n % REQUESTS_PER_PAGE === 0 ? '' : '/status'}`;
  return runLoad(reads(port, {}, path, PAGE_OR_STATUS), { ...load, ports: [port] });
});
