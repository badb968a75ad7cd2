import http from 'node:http';

/** One response as a client receives it. */
export interface Heard {
  readonly status: number;
  readonly body: string;
  readonly tookMs: number;
}

/** Sends a request. Rejects if the server sends no response. */
export function ask(port: number, agent: http.Agent, path: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const request = http.get({ port, host: '127.0.0.1', agent, path }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, tookMs: performance.now() - startedAt }));
    });
    // The server may close an idle connection at the moment when it is used again. Then it has not received the request.
    request.on('error', (error) => {
      if (request.reusedSocket && 'code' in error && error.code === 'ECONNRESET') resolve(ask(port, agent, path));
      else reject(error);
    });
  });
}

/** Sends a fixed number of requests a second, whether or not earlier ones were answered. */
export async function openLoop<One>(perSecond: number, seconds: number, send: () => Promise<One>): Promise<readonly One[]> {
  const startedAt = performance.now();
  const all: Promise<One>[] = [];
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = ((performance.now() - startedAt) * perSecond) / 1_000;
    while (all.length < due) all.push(send());
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return Promise.all(all);
}

export function percentile99(heard: readonly Heard[]): number {
  const sorted = heard.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(0.99 * sorted.length)] ?? 0;
}
