import { someRepository, text, time, type KindFacts, type WithFields } from './fields.js';
import { origin } from './provenance.js';

/** The formats of stored images: the end of their names, the media type, and the bytes (in Latin-1) with which their content begins. */
const FORMATS: readonly { readonly ending: string; readonly type: string; readonly begins: RegExp }[] = [
  { ending: 'png', type: 'image/png', begins: /^\x89PNG\r\n\x1a\n/ },
  { ending: 'jpg', type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { ending: 'gif', type: 'image/gif', begins: /^GIF8[79]a/ },
  { ending: 'webp', type: 'image/webp', begins: /^RIFF[^]{4}WEBP/ },
];

const HEAD_BYTES = 12;

type ImageFormat = Pick<(typeof FORMATS)[number], 'ending' | 'type'>;

/** The format that the content itself shows; `null` for any other file, such as SVG. */
export function imageFormatOf(content: Uint8Array): ImageFormat | null {
  const head = String.fromCharCode(...content.subarray(0, HEAD_BYTES));
  return FORMATS.find(({ begins }) => begins.test(head)) ?? null;
}

/** `9f1c2d3e4b5a69788796a5b4c3d2e1f0.png`: a hash of the article and the content, and the format. */
export const IMAGE_NAME = /^[0-9a-f]{32}\.(?:png|jpg|gif|webp)$/;

const fields = {
  repositoryRef: someRepository,
  /** Its name in addresses, see {@link IMAGE_NAME}. */
  id: text('id', 'Name in addresses.', '9f1c2d3e4b5a69788796a5b4c3d2e1f0.png'),
  /** The id of the article, which belongs to the same repository. */
  articleId: text('partId', 'Id of the article that shows it.', 'widget-2-1-changelog'),
  /** The file in base64. */
  data: text('data', 'The file, in base64.', 'iVBORw0KGgo='),
  /** That of the article. */
  publishedAt: time('When the article was published.', '2026-11-18T09:30:00.000Z'),
  provenance: origin,
};

/** An image of an article. It is shown in this article only, and is never a record of its own in the API. */
export interface Image extends WithFields<typeof fields> {
  readonly kind: 'image';
}

export const IMAGE_FACTS = {
  plural: 'images',
  ownership: 'sometimes',
  reader: 'record',
  times: ['publishedAt'],
  filters: {},
  searched: {},
  sent: [],
  fields,
} as const satisfies KindFacts<Image>;
