/** Types for what is used of a package that is published without types. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly 'accept-encoding'?: string; readonly accept?: string } });
    /** The first of the available codings in the order of their quality, then of `preferred`; `undefined` if none is acceptable. */
    encoding(available: string[], options: { readonly preferred: string[] }): string | undefined;
    /** The available media type that is preferred; `undefined` if none is acceptable. */
    mediaType(available: string[]): string | undefined;
  }
}
