/**
 * The response of a route for an address that has no page. It has a body, because Astro would render the page about missing
 * addresses for each; the site service has it saved.
 */
export const noSuchPage = (): Response => new Response('Not found', { status: 404 });
