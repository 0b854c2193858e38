/*
 * Shows “My Votes” without a network. The page registers it for its own address only, while this browser has receipts, and
 * fills its cache; see site/verification/offline-copy.ts. Requests to the API are left alone.
 */
addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return;
  const kept = async () => (await caches.open('weathervane-my-votes')).match(pathname, { ignoreVary: true });
  const answer = async () => {
    const response = await fetch(event.request).catch(() => Response.error());
    // A proxy answers for a server that can’t be reached.
    const isDown = response.type === 'error' || [502, 503, 504].includes(response.status);
    return (isDown && (await kept())) || response;
  };
  event.respondWith(answer());
});
