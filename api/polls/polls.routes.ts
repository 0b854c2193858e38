import type { HistoricalPage, RelatedPoll } from '#contract/poll.ts';
import type { Config } from '#platform/config.ts';
import { JsonText } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import type { EndpointRouter, Handler } from '#platform/endpoint-router.ts';
import { SingleFlight } from '#platform/read-cache.ts';
import type { LimitedVote } from '#api/voting/vote-limits.ts';
import { voterOf, votesWithCookie } from '#api/voting/voter.ts';
import type { CastPollVote } from './poll-vote.service.ts';
import { findPoll, openPolls, relatedPolls } from './polls.queries.ts';
import { activePollsFor, archivePage, pollFor } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';

/** What the endpoints of weekly polls need. */
interface PollRoutesContext extends PollsContext {
  readonly previews: PreviewLinks;
  readonly castPollVote: CastPollVote;
  readonly limitedVote: LimitedVote;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** The endpoints of weekly polls. Concurrent reads that have the same result for everyone share one query. */
export function mountPolls(router: EndpointRouter, context: PollRoutesContext): void {
  const { db, clock, config, previews, castPollVote, limitedVote } = context;
  const open = new SingleFlight<Awaited<ReturnType<typeof openPolls>>>();
  const polls = new SingleFlight<Awaited<ReturnType<typeof findPoll>>>();
  const pages = new SingleFlight<HistoricalPage>();
  const related = new SingleFlight<RelatedPoll[]>();
  const readOpen = () => open.get('', () => openPolls(db, clock.now()));
  const readPoll = (id: string) => polls.get(id, () => findPoll(db, id));
  const withCookie = votesWithCookie({ clock, publicUrl: config.publicUrl });

  const vote: Handler<'vote'> = async ({ params, body, ctx }) => {
    const json = await limitedVote(ctx, params.id, (counters) =>
      withCookie(ctx, undefined, (voter) => castPollVote(params.id, body.optionId, voter, counters)),
    );
    return new JsonText(json);
  };

  router
    .mount('activePolls', ({ ctx }) => activePollsFor(context, voterOf(ctx), readOpen))
    .mount('historicalPolls', ({ query }) => pages.get(JSON.stringify(query), () => archivePage(context, query)))
    .mount('relatedPolls', ({ params: { category, id } }) =>
      related.get(JSON.stringify([category, id]), () => relatedPolls(db, category, id)),
    )
    .mount('poll', ({ params: { id }, query: { preview }, ctx }) => {
      const isPreview = preview !== undefined && previews.isValid(id, preview);
      if (preview !== undefined && !isPreview) throw errors.pollNotFound();
      return pollFor(context, id, voterOf(ctx), readPoll, isPreview);
    })
    .mount('vote', vote, { direct: true });
}
