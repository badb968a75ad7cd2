/**
 * Downloads the server that mongodb-memory-server chooses for this machine into a folder, or finds an earlier download.
 * @returns the path of the binary
 * @throws Error if it is not available
 */
export async function fetchWithLibrary(folder: string): Promise<string> {
  // Imported only when needed, because it loads slowly and hardly any test file needs it.
  const { MongoBinary } = await import('mongodb-memory-server-core');
  return MongoBinary.getPath({ downloadDir: folder });
}
