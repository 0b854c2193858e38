import verifier from 'virtual:offline-verifier';

/** The verifier for Node.js, to download. */
export const GET = () => new Response(verifier, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
