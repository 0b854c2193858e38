import verifier from 'virtual:offline-verifier';

export const prerender = true;

/** The verifier for Node.js, to download. */
export const GET = () => new Response(verifier, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
