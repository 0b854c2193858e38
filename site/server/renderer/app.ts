import { createApp } from 'astro/app/entrypoint';

/** Astro’s request handler with all routes; see page-answer.ts. */
export const app = createApp({ streaming: false });
// Who asks for a page reports why it failed.
app.logger.options.level = 'silent';
