import { defineMiddleware } from 'astro:middleware';

/** Stores the error of a page for who asked for it: Astro’s response says nothing about it. */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  try {
    return await next();
  } catch (error) {
    locals.failure = error;
    throw error;
  }
});
