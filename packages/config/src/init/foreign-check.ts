/** A check in the configuration of another monitor. Its values are as written there; nothing is validated. */
export interface ForeignCheck {
  readonly name: string;
  /** `''` without one. */
  readonly group: string;
  /** `http://…`, `https://…`, `tcp://host:port` or `dns:name`. It may contain credentials. `null`: the service reports itself. */
  readonly address: string | null;
  /** Whether the other monitor does not show the address. */
  readonly isHidden: boolean;
  readonly method: string;
  /** Values may be secret. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The accepted statuses and ranges of them, such as `200-299`; `null`: 200 to 299. */
  readonly status: readonly (number | string)[] | null;
  readonly text: string | null;
  /** The value is compared as text. */
  readonly json: { readonly path: string; readonly equals: string } | null;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly slowAfterMs: number | null;
  /** How late a service may be that reports itself; `null`: the default. */
  readonly graceMs: number | null;
  readonly certificateMs: number | null;
  readonly confirmAfter: number | null;
  readonly redirects: number | null;
  /** Settings of the check that Vitrine does not support: one line each, without values, which may be secret. */
  readonly unknown: readonly string[];
}

/** What the file of another monitor says about its page. Nothing is validated. */
export interface ForeignSite {
  readonly title: string;
  readonly description: string;
  /** The address of an image. */
  readonly logo: string;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly footer: string;
  /** The address of the page. */
  readonly publicUrl: string;
}

/** What the file of another monitor says. */
export interface ForeignChecks {
  readonly site: ForeignSite;
  /** The address of the network check: `host:port`, or an address; `''` without one. */
  readonly canary: string;
  readonly checks: readonly ForeignCheck[];
  /** Whole parts that cannot be carried over: one line each, with the reason. */
  readonly leftOut: readonly string[];
}

/** What a reader makes of a file. In place of a check that cannot be carried over, a line that says why. */
export interface ForeignFile extends Omit<ForeignChecks, 'checks'> {
  readonly checks: readonly (ForeignCheck | string)[];
}

/** The default values of a check. */
export const PLAIN_CHECK = {
  group: '',
  isHidden: false,
  method: 'GET',
  headers: [],
  status: null,
  text: null,
  json: null,
  slowAfterMs: null,
  graceMs: null,
  certificateMs: null,
  confirmAfter: null,
  redirects: null,
} as const;

export const NO_SITE: ForeignSite = { title: '', description: '', logo: '', links: [], footer: '', publicUrl: '' };
