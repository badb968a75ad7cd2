import Negotiator from 'negotiator';

interface WithAccept {
  readonly accept?: string | undefined;
}

const HTML = 'text/html';
const JSON_TYPE = 'application/json';

/** Whether a client prefers JSON to HTML. One that takes anything, as programs that preview links do, gets HTML. */
export function prefersJson(headers: WithAccept): boolean {
  const { accept } = headers;
  return accept?.includes('json') === true && new Negotiator({ headers: { accept } }).mediaType([HTML, JSON_TYPE]) === JSON_TYPE;
}

/** Whether a client names HTML, as browsers do. */
export function asksForHtml(headers: WithAccept): boolean {
  const { accept } = headers;
  return accept?.includes('html') === true && new Negotiator({ headers: { accept } }).mediaType([HTML, JSON_TYPE]) === HTML;
}
