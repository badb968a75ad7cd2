/** A text of a record, and how it is to be shown. */
export interface TextTask {
  readonly text: string;
  /**
   * `excerpt`: the words of a Markdown text on one line, as plain text. `picture`: an SVG as PNG, in base64. Otherwise HTML is made of a text in this format.
   */
  readonly form: 'markdown' | 'html' | 'excerpt' | 'picture';
  /** Whether images may be loaded from other servers. */
  readonly images: boolean;
}

/** Renders untrusted texts without delaying other requests. */
export interface TextRenderer {
  /** The rendered text; `null` if that takes too long or fails: then the text is shown as it is. Never rejects. */
  render(task: TextTask): Promise<string | null>;
  /** What was made of the text before; `undefined`: it is not known. */
  kept(task: TextTask): string | null | undefined;
  /** Releases the resources of the renderer. It can be used again. */
  close(): Promise<void>;
}
