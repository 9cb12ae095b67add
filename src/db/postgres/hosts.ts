import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { hostUrls } from '../../kernel/postgres-url.ts';

/** Whether the server must accept writes: with several hosts, or `target_session_attrs=read-write`. */
function wantsWritable(url: string): boolean {
  return hostUrls(url).length > 1 || /[?&]target_session_attrs=read-write(&|$)/.test(url);
}

/** A server that accepts no writes: a standby, or a primary that was replaced. */
class ReadOnlyServer extends Error {
  readonly code = '25006';
}

const names = new WeakMap<pg.ClientBase, string>();

/** The unique name of a connection at its server. */
export function nameOfConnection(client: pg.ClientBase): string {
  return names.get(client) ?? '';
}

/**
 * Returns the class of connections to `url`. A connection that cannot be established is closed, and the next one goes to the next
 * host. A connection to a server that accepts no writes counts as failed.
 */
export function connectionClass(url: string): typeof pg.Client {
  const urls = hostUrls(url);
  const writable = wantsWritable(url);
  let current = 0;
  return class extends pg.Client {
    readonly #host: number;

    constructor(config?: pg.ClientConfig) {
      const name = `${config?.fallback_application_name} ${randomUUID().slice(0, 18)}`;
      super({
        ...config,
        fallback_application_name: name,
        connectionString: urls[current % urls.length],
      });
      names.set(this, name);
      this.#host = current;
      // A connection that breaks fails its query, or leaves the pool. Without a listener its error would end the process.
      this.on('error', () => {});
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
    override connect(
      callback?: (error: Error | null, client?: pg.Client) => void,
    ): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      connected.then((client) => callback(null, client), callback);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        if (writable) await this.#requireWritable();
        return this;
      } catch (error) {
        // The driver does not close a connection that it refuses, which would keep the process alive.
        this.end().catch(() => {});
        if (this.#host === current) current++;
        throw error;
      }
    }

    async #requireWritable(): Promise<void> {
      const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
      if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServer('the server accepts no writes');
    }
  };
}
