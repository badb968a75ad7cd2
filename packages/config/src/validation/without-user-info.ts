/** The text with `user:password@` cut from every address in it. */
export function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1');
}
