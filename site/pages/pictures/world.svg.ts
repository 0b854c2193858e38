import { worldFile } from '#site/ui/charts/world.ts';

// One file for all reports, which color the countries of their voters on it.
export const GET = () => new Response(worldFile(), { headers: { 'content-type': 'image/svg+xml' } });
