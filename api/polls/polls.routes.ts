import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { voterOf } from '#platform/voter.ts';
import { activePollsFor, archivePage, pollFor, pollsRelatedTo } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';

/** The reading calls of weekly polls. */
export function mountPolls(router: EndpointRouter, context: PollsContext): void {
  router
    .mount('activePolls', ({ ctx }) => activePollsFor(context, voterOf(ctx)))
    .mount('historicalPolls', ({ query }) => archivePage(context, query))
    .mount('relatedPolls', ({ params }) => pollsRelatedTo(context, params.category, params.id))
    .mount('poll', ({ params, ctx }) => pollFor(context, params.id, voterOf(ctx)));
}
