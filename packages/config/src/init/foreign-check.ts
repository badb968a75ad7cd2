/** A check in the configuration of another monitor. Its values are as written there; nothing is validated. */
export interface ForeignCheck {
  readonly name: string;
  /** `''` without one. */
  readonly group: string;
  /** `http://…`, `https://…`, `tcp://host:port` or `dns:name`. It may contain credentials. */
  readonly address: string;
  readonly method: string;
  /** Values may be secret. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The accepted statuses; `null`: 200 to 299. */
  readonly status: readonly number[] | null;
  readonly text: string | null;
  readonly json: { readonly path: string; readonly equals: string | number | boolean } | null;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly slowAfterMs: number | null;
  readonly certificateMs: number | null;
  readonly confirmAfter: number | null;
  readonly redirects: number | null;
  /** What else the check says, and what Vitrine cannot do. Without values, which may be secret. */
  readonly unknown: readonly string[];
}

/** What the file of another monitor says. */
export interface ForeignChecks {
  /** The title of its page; `null` without one. */
  readonly title: string | null;
  readonly checks: readonly ForeignCheck[];
  /** Whole parts that cannot be carried over: one line each, with the reason. */
  readonly leftOut: readonly string[];
}

/** The values of a check that says nothing else. */
export const PLAIN_CHECK = {
  group: '',
  method: 'GET',
  headers: [],
  status: null,
  text: null,
  json: null,
  slowAfterMs: null,
  certificateMs: null,
  confirmAfter: null,
  redirects: null,
} as const;
