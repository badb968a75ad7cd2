/** The filters of all lists, none of them set. */
export const ANY = {
  branch: null,
  author: null,
  changeType: null,
  platform: null,
  releaseType: null,
  status: null,
  source: null,
  articleKind: null,
  tag: null,
  language: null,
} as const;
