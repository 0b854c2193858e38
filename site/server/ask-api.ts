/**
 * Reads from the first API service that answers: a read may be asked for again, so a service that is being restarted is
 * passed over. Rejects when none answers, and when the time that `init.signal` gives is over.
 */
export async function askApi(origins: readonly string[], path: string, init: RequestInit): Promise<Response> {
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
