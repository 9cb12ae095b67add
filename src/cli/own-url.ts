import type { Settings } from '../config.ts';

/** Where the service is reached: its public address, else its listener's own. */
export function ownUrl(settings: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return settings.publicUrl ?? httpUrl(settings.host, settings.port);
}

export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
