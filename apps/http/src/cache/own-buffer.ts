/**
 * A copy that takes no more memory than its length. `Buffer.from` and the compression of Node return parts of a larger buffer, which would stay in memory as
 * long as the part.
 */
export function ownBuffer(content: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
  if (typeof content === 'string') own.write(content);
  else content.copy(own);
  return own;
}
