import type { Voters } from '#api/voting/voter.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { clientAddress } from '#platform/middleware.ts';
import type { VoteCodes } from './vote-codes.service.ts';

/** The endpoint that mails a code for a vote. */
export function mountVoteCodes(
  router: EndpointRouter,
  { codes, voters }: { readonly codes: VoteCodes; readonly voters: Voters },
): void {
  router.mount('requestVoteCode', async ({ body: { pollId, email }, ctx }) => {
    const { voter } = voters.identify(ctx);
    return { request: await codes.request({ ballotId: pollId, voter, email, address: clientAddress(ctx) }) };
  });
}
