/**
 * Starts a call and makes it reject where it would throw. Within `Promise.all`, a call that throws leaves the calls before it without a handler, and
 * the rejection of such a call ends the process.
 */
export async function started<Result>(call: () => Promise<Result>): Promise<Result> {
  return call();
}
