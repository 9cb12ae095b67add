import { type LoadOptions, runLoad } from '../load.ts';
import { answerQuestions } from '../questions.ts';
import { reads } from '../requests.ts';

/** A shopper loads the page once and then polls its status. */
const REQUESTS_PER_PAGE = 10;
const PAGE_OR_STATUS = /data-version="|"version":"/;

/** A message to this program: load the pages at these paths. */
export interface PageLoad extends LoadOptions {
  readonly paths: readonly string[];
}

/**
 * Simulates shoppers who load payment pages and poll their status. A separate process, so that this work does not delay the
 * measured inits. Answers each message with a LoadResult.
 */
answerQuestions(({ paths, ...load }: PageLoad) => {
  const path = (n: number) => `${paths[n % paths.length]}${n % REQUESTS_PER_PAGE === 0 ? '' : '/status'}`;
  return runLoad(reads({}, path, PAGE_OR_STATUS), load);
});
