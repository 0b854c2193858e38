import { defineMiddleware } from 'astro:middleware';
import { livePages } from './live-pages.ts';

/** Hands pages their data. */
export const onRequest = defineMiddleware(({ locals }, next) => {
  Object.assign(locals, { data: livePages().data() });
  return next();
});
