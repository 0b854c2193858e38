import { receiptsOnDevice } from './receipts-on-device.ts';

/** The name of the cache, as in site/public/my-votes-worker.js. */
const cacheName = 'weathervane-my-votes';
const scope = '/my-votes';

/**
 * Keeps this page and the files it has loaded in the browser, so that it opens without a network. Rejects without one. Keeps
 * nothing if the last receipt is forgotten meanwhile.
 */
export async function keepOffline(): Promise<void> {
  // Missing on pages without HTTPS.
  if (!('serviceWorker' in navigator)) return;
  try {
    await keep();
  } finally {
    if (receiptsOnDevice().length === 0) await forgetOffline();
  }
}

async function keep(): Promise<void> {
  await navigator.serviceWorker.register('/my-votes-worker.js', { scope });
  const loaded = performance
    .getEntriesByType('resource')
    .filter(
      (entry) => !['fetch', 'xmlhttprequest', 'beacon'].includes((entry as PerformanceResourceTiming).initiatorType),
    )
    .map(({ name }) => new URL(name))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname }) => pathname);
  const cache = await caches.open(cacheName);
  const files = new Set(loaded);
  await cache.addAll([...files]);
  // Last: a kept page has all its files.
  await cache.add(scope);
  files.add(scope);
  // Of earlier releases.
  for (const { url } of await cache.keys()) if (!files.has(new URL(url).pathname)) await cache.delete(url);
}

/** Deletes that copy. */
export async function forgetOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await (await navigator.serviceWorker.getRegistration(scope))?.unregister();
  await caches.delete(cacheName);
}
