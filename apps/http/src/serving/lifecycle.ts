import type { Server } from 'node:http';
import net from 'node:net';
import type { StoreHealth } from './store-guard.js';

/** Whether the process accepts work: `starting` until it is ready for traffic, `stopping` after the signal to stop. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'stopping';
}

export interface CollectorHealth {
  /** `restarting` from the death of the process until the next one has opened the store. */
  readonly state: 'starting' | 'running' | 'restarting';
  readonly isWritable: boolean;
}

export interface ReadinessParts {
  readonly lifecycle: Readonly<Lifecycle>;
  readonly health: StoreHealth;
  readonly collector: CollectorHealth | null;
  /** Absent if the store has its own search index. */
  readonly localSearch?: { readonly isBuilding: boolean } | null | undefined;
  readonly isFailing: () => boolean;
}

/** Whether the process may receive traffic. Once it was ready, it stays ready if the store is lost, because it can serve the last good responses. It is not ready while the files of its store are gone. */
export class Readiness {
  constructor(private readonly parts: ReadinessParts) {}

  get status(): 'starting' | 'ready' | 'degraded' | 'stopping' {
    const { lifecycle, health, isFailing } = this.parts;
    if (lifecycle.phase !== 'ready') return lifecycle.phase;
    if (health.state === 'connecting') return 'starting';
    return health.state !== 'ready' || isFailing() || this.#isCollectorFailing ? 'degraded' : 'ready';
  }

  get collector(): CollectorHealth['state'] | null {
    return this.parts.collector?.state ?? null;
  }

  get isSearchBuilding(): boolean {
    return this.parts.localSearch?.isBuilding === true && this.takesTraffic;
  }

  /** A store whose files were removed does not come back by itself. */
  get takesTraffic(): boolean {
    return this.parts.health.state !== 'moved' && (this.status === 'ready' || this.status === 'degraded');
  }

  get #isCollectorFailing(): boolean {
    const { collector } = this.parts;
    return collector !== null && (collector.state === 'restarting' || !collector.isWritable);
  }
}

export interface DrainOptions {
  /** Milliseconds in which idle connections may still send a request. Its response has `Connection: close`. */
  readonly graceMs: number;
  /** Milliseconds after which all connections are closed, even those with a request in progress. */
  readonly deadlineMs: number;
}

const LOOK_MS = 50;

/** Stops accepting connections, waits for responses in progress, and resolves when no connection is left. */
export function drain(server: Server, { graceMs, deadlineMs }: DrainOptions): Promise<void> {
  return new Promise((resolve) => {
    let looking: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    }, graceMs);
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
    // The HTTP server's own close() would close idle connections at once, and lose requests that are on their way.
    net.Server.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearTimeout(deadline);
      clearInterval(looking);
      resolve();
    });
  });
}
