/** What a promise resolves to, if it does so in time; rejects otherwise, and lets it go on. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`There was no response within ${ms} ms.`)), ms);
  });
  // A failure that comes too late concerns nobody any more.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
