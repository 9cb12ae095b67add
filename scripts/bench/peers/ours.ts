import { join } from 'node:path';
import type { Peer, RunningPeer, StartOptions } from '../contest.ts';
import { install, launch } from '../service.ts';
import { storedIds } from '../stored-ids.ts';

export const ours: Peer = {
  name: 'ours',
  about: 'the service with its embedded sandbox, rate limit off, log level warn',
  start: (folder, options) => startOurs('ours', 'warn', folder, options),
};

export const oursInfo: Peer = {
  name: 'ours-info',
  about: 'the same with log level info, the default: a line per request, into a file',
  start: (folder, options) => startOurs('ours-info', 'info', folder, options),
};

async function startOurs(
  name: string,
  logLevel: string,
  parent: string,
  { profileFolder }: StartOptions,
): Promise<RunningPeer> {
  const installation = await install(join(parent, name), null, { SERVICE_LOG_LEVEL: logLevel });
  const { port, pid, stop } = await launch(installation, { profileFolder });
  return {
    name,
    port,
    authorization: `Bearer ${installation.apiKey}`,
    pid,
    stop,
    storedIds: () => storedIds(installation.file, 'transactions'),
  };
}
