import { slugPattern } from '#contract/blog.ts';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { readFromApi } from '#site/site-config.ts';

const slugShape = new RegExp(slugPattern);

/**
 * Whether an article was published at an address and is not any more; false if the API doesn’t answer. The visitor’s
 * address is forwarded for the API’s rate limits.
 */
export async function isArticleGone(slug: string, visitor: string): Promise<boolean> {
  if (!slugShape.test(slug)) return false;
  try {
    const { status } = await readFromApi(pathOf('blog', { slug }), {
      headers: { accept: 'application/json', 'x-forwarded-for': visitor },
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
    return status === 410;
  } catch {
    return false;
  }
}
