import { MongoBinary } from 'mongodb-memory-server-core';

/**
 * Downloads the server that mongodb-memory-server takes for this machine into a folder, or finds one it fetched before.
 * @returns the path of the binary
 * @throws Error when it cannot be had
 */
export function fetchWithLibrary(folder: string): Promise<string> {
  return MongoBinary.getPath({ downloadDir: folder });
}
