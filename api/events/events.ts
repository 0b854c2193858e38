import type { AuditAction } from '#api/admin/audit/audit.contract.ts';
import type { ChangeEvent } from '#api/publishing/publishing.contract.ts';
import type { PollKind } from '#contract/vocabulary.ts';
import type { Operator } from '#platform/operator.ts';

/** An operator, or a name, which may stand for no member, such as `terminal`. */
export type Actor = Pick<Operator, 'id' | 'name'> | string;

/** The actor of changes with the shared password. */
export const sharedActor = 'operator';

/** Operators’ acts that others can do, too, by what the audit log calls them and what they are called here. */
export const sharedActs = {
  'poll.publish': 'poll.created',
  'poll.close': 'poll.closed',
  'poll.reopen': 'poll.reopened',
  'poll.edit': 'poll.edited',
  'poll.delete': 'poll.removed',
} as const satisfies Partial<Record<AuditAction, string>>;

/** What happens to polls of both kinds, whoever does it: a creator, an operator, a moderator, an import, their own times. */
export type PollEventType =
  | (typeof sharedActs)[keyof typeof sharedActs]
  /** It takes votes from now on: its start has come, or it was created, reopened, or shown after it. */
  | 'poll.opened'
  /** Taken down by a moderator or with a suspension, and shown again. */
  | 'poll.hidden'
  | 'poll.shown'
  /** Operators’ own edits: an earlier version, and a higher level of protection. */
  | 'poll.restore'
  | 'votes.protection'
  /** Back to a draft. */
  | 'poll.unpublish'
  | 'demonstration.remove'
  /** Featured, or no more. */
  | 'poll.feature';

/** What happens to the votes of a ballot. */
export type VotesEventType =
  /** A decision of the detector or of an operator, and each change of one. */
  | 'votes.set-aside'
  | 'votes.decide'
  /** A vote without its check is held until someone decides. Not stored: its moment is known to the minute only. */
  | 'votes.held';

/** What has all pages rendered again, or all texts. */
export type SiteEventType = 'site.publish' | 'publishing.use' | 'publishing.resume';

/** What webhooks hear of besides. */
export type NoticeType = 'report.filed' | 'site.published' | 'desk.needs-decision';

/** Operators’ acts with no other name and no consequences but their own. */
export type AuditedEventType = Exclude<
  AuditAction,
  keyof typeof sharedActs | PollEventType | VotesEventType | SiteEventType | DecisionEvent['type']
>;

/**
 * What one member did, or got: badges and figures are computed from these, and from `poll.created` and `comment.posted`. There
 * is one more, `vote.cast`, which the votes’ own transaction records (`voting/vote-events.queries.ts`).
 */
export type MemberEventType =
  | 'member.joined'
  /** The first request of a day while signed in. */
  | 'member.active'
  /** Opened the page of a poll, or copied its link, for the first time. */
  | 'poll.viewed'
  | 'poll.shared'
  /** Opened a private poll to which the member was invited, for the first time; and the same for the host. */
  | 'invitation.followed'
  | 'invitation.accepted'
  /** A poll of the member is featured for the first time. */
  | 'poll.featured'
  /** The last figures of a poll of the member that is deleted. */
  | 'poll.figures'
  | 'badge.earned';

export type EventType = NewEvent['type'];

/** Whose act an event is: an operator’s, a member’s, or neither’s. */
type Author =
  /** An operator, or a command: the event is an entry of the audit log. */
  | { readonly actor?: Actor; readonly member?: undefined }
  /** The member whose deed it is, once per subject; the event is deleted with the account. */
  | { readonly member?: string; readonly actor?: undefined };

/** What every event says. `before` and `after` are the changed fields only, as JSON values. */
type Happened<Type extends string> = Author & {
  readonly type: Type;
  /** Milliseconds. */
  readonly at: number;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Where a poll is in the archive of closed weekly polls. */
export interface Archived {
  readonly category: string | null;
  /** Null: not there. */
  readonly closedAt: number | null;
}

/** An event about a poll; `poll` and `publish` are for what follows at once and are not stored. */
export type PollEvent = Happened<PollEventType> & {
  readonly poll: {
    readonly kind: PollKind;
    /** Publicly listed; false for unlisted and private community polls. */
    readonly listed: boolean | 0 | 1;
    /** Of weekly polls whose place may have changed: before and after, null where there was or is none. */
    readonly moved?: readonly [before: Archived | null, after: Archived | null];
  };
  /** How pages are published; by default at once, as what the type says; null: another event has them published. */
  readonly publish?: { readonly event?: ChangeEvent; readonly kind?: 'report'; readonly many?: boolean } | null;
};

/** A poll as the subject of an event. */
export const pollSubject = (kind: PollKind, id: string) => ({ kind: kind === 'poll' ? 'poll' : 'community-poll', id });

/** An event about votes. `counts`, `again`, and `notice` are for what follows at once and are not stored. */
export type VotesEvent = Happened<VotesEventType> & {
  /** Whether figures on pages change. */
  readonly counts: boolean;
  /** The ids among which votes count again. */
  readonly again?: { readonly ballotKey: number; readonly after: number; readonly through: number };
  /** What webhooks are told of votes that no longer count. */
  readonly notice?: {
    readonly number: number;
    /** Held votes count again unless an operator confirms. */
    readonly state: 'held' | 'set-aside';
    readonly reason: string;
    readonly votes: number;
    readonly url: string;
  };
};

/** An operator’s act about the whole site. `whole` is why every page is rendered again; null: only those of texts are. */
export type SiteEvent = Happened<SiteEventType> & { readonly actor: Actor; readonly whole: string | null };

/** An event that webhooks are told as `after` says it, or as `told` does, which is not stored. */
export type NoticeEvent = Happened<NoticeType> & { readonly after: object; readonly told?: object };

/** A deed of a member, once per subject. */
export type MemberEvent<Type extends MemberEventType = MemberEventType> = Happened<Type> & { readonly member: string };

/** Whom a comment concerns besides its author: each member once, at the most specific place. */
export interface Concerned {
  /** The author of the comment that it answers. */
  readonly answered: readonly string[];
  readonly mentioned: readonly string[];
  /** The creator of the poll. */
  readonly creator: readonly string[];
}

/** A comment is posted, which is a deed of its author, or edited. `concerned` is not stored. */
export type CommentEvent = ((Happened<'comment.posted'> & { readonly member: string }) | Happened<'comment.edited'>) & {
  readonly after: { readonly poll: string; readonly full?: boolean };
  readonly concerned: Concerned;
};

/** The creator of a poll hides, deletes, or shows a comment of another member. `comment` is not stored. */
export type CommentRemoval = Happened<'comment.hidden' | 'comment.removed' | 'comment.shown'> & {
  /** `reporters` without its author and the creator. */
  readonly comment: { readonly poll: string; readonly author: string; readonly reporters: readonly string[] };
};

/** A moderator’s decision, or the end of a suspension whose time is up. `decision` is not stored. */
export type DecisionEvent = (
  (Happened<'moderation.decide' | 'moderation.appeal'> & { readonly actor: Actor }) | Happened<'suspension.ended'>
) & {
  readonly decision: {
    readonly id: number;
    readonly reason: string;
    /** Null where it is deleted. */
    readonly poll: string | null;
    /** Whose content or account it changes; null where another decision says it. */
    readonly member: string | null;
    /** Other members, whose reports it handles. */
    readonly reporters: readonly string[];
  };
};

/** The subject of what happens to an account: nothing that is stored says which. */
export const accountSubject = { kind: 'account', id: '' };

/**
 * A member is invited to a private poll; a device with the right password waits until the member says whose it is, and the
 * member has said it; a new password was set without the old one. `account` is the member’s id and is not stored.
 */
export type AccountEvent = Happened<'invitation.sent' | 'sign-in.asked' | 'sign-in.answered' | 'account.recovered'> & {
  readonly account: string;
};

/** Voters wrote an answer that waits for the creator of the poll, `account`. Not stored, as their votes. */
export type AnswerEvent = Happened<'answer.waiting'> & { readonly account: string };

/** A publish that has changed no page; `site.published` is one that has. */
export type PublishEvent = Happened<'site.unchanged' | 'site.failed'>;

export type AuditedEvent = Happened<AuditedEventType> & { readonly actor: Actor };

/** What members hear of. */
export type NotifiedEvent =
  | CommentEvent
  | CommentRemoval
  | DecisionEvent
  | AccountEvent
  | AnswerEvent
  | MemberEvent<'badge.earned' | 'poll.featured'>;

export type NewEvent =
  PollEvent | VotesEvent | SiteEvent | NoticeEvent | PublishEvent | NotifiedEvent | MemberEvent | AuditedEvent;
