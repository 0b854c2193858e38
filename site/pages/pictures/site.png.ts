import { pictureResponse } from '#site/layouts/link-picture.ts';

export const GET = () => pictureResponse({ kind: 'site' });
