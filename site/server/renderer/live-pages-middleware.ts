import { defineMiddleware } from 'astro:middleware';
import { livePageData } from './live-pages.ts';

/** Hands pages their data. */
export const onRequest = defineMiddleware(({ locals }, next) => {
  Object.assign(locals, { data: livePageData() });
  return next();
});
