/** Removes `user:password@` from every address in a text. */
export function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1');
}
