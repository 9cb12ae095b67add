import { runLoad } from '../load.ts';
import { answerQuestions } from '../questions.ts';
import { BenchError, type Workload } from '../types.ts';

/** A shopper loads the page once and then polls its status. */
const REQUESTS_PER_PAGE = 10;

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
answerQuestions(({ port, paths, ...load }: PageLoad) =>
  runLoad(pageRequests(port, paths), { ...load, ports: [port] }),
);

function pageRequests(port: number, paths: readonly string[]): Workload {
  let sent = 0;
  return {
    nextRequest() {
      const n = sent++;
      const path = paths[n % paths.length];
      const isPage = n % REQUESTS_PER_PAGE === 0;
      return `GET ${path}${isPage ? '' : '/status'} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    },
    accept(body) {
      if (!/data-version="|"version":"/.test(body))
        throw new BenchError(`neither a page nor a status: ${body.slice(0, 500)}`);
    },
  };
}
