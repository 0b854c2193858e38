/**
 * Reads from the first API service that responds; a read may be repeated, so a restarting service is skipped. Rejects
 * if none responds or `init.signal` aborts.
 */
export async function fetchFromApi(origins: readonly string[], path: string, init: RequestInit): Promise<Response> {
  let failure: unknown;
  for (const origin of origins) {
    try {
      return await fetch(origin + path, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}
