/** What the renderer writes for a link or an image. The texts around it are escaped, so only tags can match. */
const LINK = /<(a href|img src)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Replaces the addresses of the links and images in rendered HTML. @param addressOf `undefined`: there is no such page or file, so the link leads nowhere */
export function withAddresses(html: string, addressOf: (address: string) => string | undefined): string {
  return html.replace(LINK, (link, start: string, escaped: string) => {
    const address = escaped.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
    const found = addressOf(address);
    if (found === address) return link;
    return found === undefined ? `<${start.split(' ', 1).join('')}` : `<${start}="${escapedText(found)}"`;
  });
}

function escapedText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => Object.entries(ENTITIES).find(([, plain]) => plain === character)?.[0] ?? character);
}

/** An HTML text without its tags. */
export function withoutTags(html: string): string {
  const [before = '', ...pieces] = html.split('<');
  return [before, ...pieces.map((piece) => piece.split('>').slice(1).join('>'))].join(' ');
}

/** A text of at most so many characters. */
export function shortened(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}
