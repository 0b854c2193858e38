import { pictureResponse } from '#site/layouts/link-picture.ts';

export const prerender = true;

export const GET = () => pictureResponse({ kind: 'site' });
