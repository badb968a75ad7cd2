/** The part of autocannon that the benchmarks use. The package has no types of its own. */
declare module 'autocannon' {
  export interface Request {
    readonly path?: string;
    readonly setupRequest?: (request: Request) => Request;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. Use either this or `amount`. */
    readonly duration?: number;
    /** Number of requests. */
    readonly amount?: number;
    readonly requests?: readonly Request[];
    /** Milliseconds between two samples. */
    readonly sampleInt?: number;
    /** The expected body. Other bodies are counted as mismatches. */
    readonly expectBody?: string;
    /** Whether a body is correct. Other bodies are counted as mismatches. */
    readonly verifyBody?: (body: string) => boolean;
  }

  export interface Result {
    readonly start: Date;
    readonly finish: Date;
    readonly requests: { readonly average: number };
    readonly non2xx: number;
    readonly errors: number;
    readonly mismatches: number;
  }

  export default function autocannon(options: Options): Promise<Result>;
}
