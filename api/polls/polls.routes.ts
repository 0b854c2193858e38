import type { QueryOf } from '#contract/endpoints.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { SharedReads } from '#platform/shared-reads.ts';
import { voterOf } from '#platform/voter.ts';
import { findPoll, openPolls } from './polls.queries.ts';
import { activePollsFor, archivePage, pollFor, pollsRelatedTo } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';

/** The reading calls of weekly polls. What is the same for everybody is read once for all who ask at a time. */
export function mountPolls(router: EndpointRouter, context: PollsContext): void {
  const { db, clock } = context;
  const open = new SharedReads(() => openPolls(db, clock.now()));
  const polls = new SharedReads((id) => findPoll(db, id));
  const pages = new SharedReads((query) => archivePage(context, JSON.parse(query) as QueryOf<'historicalPolls'>));
  const related = new SharedReads((wanted) => {
    const [category, id] = JSON.parse(wanted) as [string, string];
    return pollsRelatedTo(context, category, id);
  });

  router
    .mount('activePolls', ({ ctx }) => activePollsFor(context, voterOf(ctx), () => open.get('')))
    .mount('historicalPolls', ({ query }) => pages.get(JSON.stringify(query)))
    .mount('relatedPolls', ({ params }) => related.get(JSON.stringify([params.category, params.id])))
    .mount('poll', ({ params, ctx }) => pollFor(context, params.id, voterOf(ctx), (id) => polls.get(id)));
}
