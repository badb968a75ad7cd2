/**
 * Downloads the server that mongodb-memory-server takes for this machine into a folder, or finds one it fetched before.
 * @returns the path of the binary
 * @throws Error when it cannot be had
 */
export async function fetchWithLibrary(folder: string): Promise<string> {
  // Every test file would wait for it to load, and hardly ever one needs it.
  const { MongoBinary } = await import('mongodb-memory-server-core');
  return MongoBinary.getPath({ downloadDir: folder });
}
