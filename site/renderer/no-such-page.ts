/** The response of a pre-rendered route for an address that doesn't exist: nothing is published there. */
export const noSuchPage = (): Response => new Response(null, { status: 204 });
