import type { Invite } from '#contract/community-poll.ts';
import { displayName } from '#domain/display-name.ts';
import { iso, isoOrNull } from '#platform/clock.ts';

/** A guest with names and moments in milliseconds. */
interface PresentedGuest {
  readonly user_id: string;
  readonly invited_at: number;
  readonly accepted_at: number | null;
  readonly username: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** A guest as the creator of the poll sees one. */
export function presentInvite(guest: PresentedGuest): Invite {
  const { username, first_name: firstName, last_name: lastName } = guest;
  return {
    userId: guest.user_id,
    name: displayName({ firstName, lastName, username }),
    username,
    invitedAt: iso(guest.invited_at),
    acceptedAt: isoOrNull(guest.accepted_at),
  };
}
