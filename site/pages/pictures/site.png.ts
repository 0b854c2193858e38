import { pictureResponse } from '#site/sharing/site-pictures.ts';

export const prerender = true;

export const GET = () => pictureResponse({ kind: 'site' });
