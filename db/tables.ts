import type { Knex } from 'knex';
import type { ContentEvent } from '#api/content/content.contract.ts';
import type { IntegrityAction } from '#api/integrity/flags.contract.ts';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import type { ImportMode } from '#api/polls/import/poll-import.contract.ts';
import type { Intervention } from '#api/voting/vote-figures.contract.ts';
import type {
  ModerationAction,
  MutableKind,
  NotificationKind,
  ReportCategory,
  ReportedKind,
} from '#contract/vocabulary.ts';

/** `true` and `false` in PostgreSQL; SQLite reads them as numbers. */
export type StoredBoolean = boolean | 0 | 1;

/** 16 bytes: a blob in SQLite, a UUID as text in PostgreSQL. */
export type StoredDigest = Buffer | string;

/**
 * The rows of every table, as both databases read them. Moments are milliseconds since 1970. `db/schema` says what columns mean;
 * a test compares both.
 */
export interface Rows {
  ballots: {
    id: string;
    kind: 'poll' | 'community';
    is_active: StoredBoolean;
    /** Anyone may find it in lists. */
    listed: StoredBoolean;
    category: string | null;
    starts_at: number;
    /** Null only for community polls. */
    ends_at: number | null;
    closed_at: number | null;
    /** Votes that came with an import. */
    base_votes: number;
    /** Counted votes. */
    total_votes: number;
    archive_votes: number | null;
    /** Counts toward the headline figures. */
    in_totals: StoredBoolean;
    key: number;
    held_votes: number;
    /** Votes that are not counted, held ones included. */
    set_aside_votes: number;
    challenge: 'auto' | 'on' | 'off';
    challenged_until: number | null;
    /** Its ballots are published when it closes; fixed once it has opened. */
    publish_ballots: StoredBoolean;
    /** When erasing networks, traits, and times of its votes began; decisions about them are final since then. */
    erased_at: number | null;
    /** How its result differs from its log; null if it doesn’t. */
    log_difference: string | null;
    /** The rank of its level: what a vote needs. */
    protection: number;
    /** The raises since its first vote; null for none. */
    protection_raises: string | null;
    /** How many options a vote chooses, and how they count; fixed by the first vote. */
    method: 'single' | 'several' | 'ranked';
    min_choices: number;
    max_choices: number;
    option_order: 'fixed' | 'random' | 'random-1' | 'random-2' | 'random-3';
    /** Voters may write another answer, which the creator reviews; fixed by the first vote. */
    write_ins: StoredBoolean;
  };
  ballot_options: {
    ballot_id: string;
    option_id: string;
    position: number;
    /** Can be voted for. */
    offered: StoredBoolean;
    text: string;
    base_votes: number;
    votes: number;
    key: number;
    set_aside: number;
    votes_after_results: number;
    votes_in_published_order: number;
    votes_embedded: number;
    votes_on_screen: number;
    /** Of an answer that a voter wrote: what the creator has decided. */
    written: 'waiting' | 'approved' | 'merged' | 'rejected' | null;
    decided_at: number | null;
    /** Of an approved one: the newest vote before it could be chosen. */
    added_after: number | null;
    /** The key of the option under which its votes count. */
    merged_into: number | null;
  };
  /** Texts of answers that voters wrote, until 30 days after the end. */
  write_ins: {
    ballot_key: number;
    option_key: number;
    /** The decision that holds its votes. */
    decision_key: number;
    text: string;
    /** What it is compared by. */
    text_key: string;
    created_at: number;
  };
  polls: {
    id: string;
    question: string;
    description: string;
    tags: string;
    author: string | null;
    summary: string | null;
    analysis: string | null;
    methodology_notes: string | null;
    country_breakdown: string;
    created_at: number;
    updated_at: number;
    /** Part of the demonstration data. */
    demonstration: StoredBoolean;
    /** The name of the series whose waves ask this question again. */
    series: string | null;
    /** Of imported answers; empty if nothing is stated. */
    provenance: string;
    /** What the operator says about this wave of the series. */
    series_note: string | null;
  };
  archive_categories: {
    category: string;
    closed_polls: number;
  };
  users: {
    id: string;
    username: string;
    username_key: string;
    email: string | null;
    email_key: string | null;
    /** PHC string of the password hash; never leaves the server. */
    password: string;
    first_name: string | null;
    last_name: string | null;
    profile_image_url: string | null;
    created_at: number;
    updated_at: number;
    /** Null until the owner of the address has confirmed it; an unconfirmed address gives no rights (decision 146). */
    email_confirmed_at: number | null;
    suspended_at: number | null;
    /** Null: for good, or not suspended. */
    suspended_until: number | null;
    /** Whether many accounts of its network had been registered on that day; then it never counts as established. */
    registered_in_crowd: StoredBoolean;
  };
  sessions: {
    /** Digest of the session id. */
    sid: string;
    /** JSON of the session's data. */
    sess: string;
    user_id: string | null;
    /** Time in milliseconds. */
    expire: number;
    /** Null for sessions that began before these were stored. */
    created_at: number | null;
    last_used_at: number | null;
    device: string | null;
    /** When the member last gave the password, or a passkey, in this session. */
    password_at: number | null;
    passkey_at: number | null;
  };
  statistics: {
    shard: number;
    total_votes: number;
    total_participants: number;
    total_polls: number;
    imported_votes: number;
    set_aside_votes: number;
  };
  community_polls: {
    id: string;
    question: string;
    description: string;
    visibility: 'public' | 'unlisted' | 'private';
    featured: StoredBoolean;
    /** Null: a former member. */
    created_by: string | null;
    tags: string;
    created_at: number;
    updated_at: number;
    comment_count: number;
    category: string | null;
    result_visibility: 'after-voting' | 'always' | 'after-end' | 'creator';
    comments_open: StoredBoolean;
    /** How often the texts were replaced before the first vote. */
    wording: number;
    /** Of the newest recorded edit. */
    edited_at: number | null;
    ballot_ends_at: number | null;
    ballot_closed_at: number | null;
    ranked_votes: number;
    trend: number;
    /** Meanwhile the visibility is private, so that no list, feed, or search has the poll. */
    taken_down_by: string | null;
    /** The visibility to restore. */
    taken_down_from: string | null;
  };
  community_poll_guests: {
    poll_id: string;
    user_id: string;
    invited_at: number;
    /** When the guest first opened the poll. */
    accepted_at: number | null;
  };
  comments: {
    id: string;
    poll_id: string;
    user_id: string;
    content: string;
    /** Hidden by a moderator, by the suspension of its author, or by the creator of the poll. */
    hidden: StoredBoolean;
    created_at: number;
    updated_at: number;
    hidden_by: 'creator' | 'operator' | null;
    /** The comment it answers, which is no reply itself. */
    reply_to: string | null;
    edited_at: number | null;
    /** The end of its author’s suspension shows it again. */
    hidden_by_suspension: StoredBoolean;
  };
  badges: {
    id: number;
    user_id: string;
    badge_type: BadgeKey;
    earned_at: number;
    metadata: string;
    announced: StoredBoolean;
  };
  blog_posts: {
    id: number;
    slug: string;
    title: string;
    excerpt: string;
    /** HTML. */
    content: string;
    category: string;
    author: string;
    tags: string;
    featured: StoredBoolean;
    published: StoredBoolean;
    published_at: number;
    created_at: number;
    updated_at: number;
    /** Was published and is not any more. */
    gone: StoredBoolean;
  };
  attempts: {
    key: string;
    used: number;
    resets_at: number;
  };
  poll_imports: {
    id: number;
    started_at: number;
    finished_at: number | null;
    heartbeat_at: number;
    origin: 'page' | 'terminal';
    file_name: string | null;
    mode: ImportMode;
    state: 'running' | 'done' | 'refused' | 'stopped' | 'undoing' | 'undone';
    busy: StoredBoolean;
    message: string;
    inserted: number;
    updated: number;
    unchanged: number;
    rejected: number;
    undone_at: number | null;
    removed: number;
    restored: number;
    kept_voted: number;
    kept_changed: number;
    discards_edits: StoredBoolean;
    kept_later: number;
  };
  poll_import_images: {
    import_id: number;
    poll_id: string;
    before: string | null;
    size: number;
    updated_at: number;
    kept: 'votes' | 'changes' | null;
  };
  idempotency_keys: {
    user_id: string;
    key: string;
    request: string;
    entity_id: string;
    expires_at: number;
  };
  ballot_deletions: {
    ballot_key: number;
    done_id: number;
    last_id: number;
  };
  votes: {
    id: number;
    ballot_key: number;
    option_key: number;
    device: StoredDigest;
    cookie: StoredDigest | null;
    user_id: string | null;
    created_at: number;
    traits: number | null;
    decision_key: number | null;
    network: number | null;
    nonce: StoredDigest | null;
    further_options: string | null;
  };
  voters: {
    digest: StoredDigest;
    counted: number;
  };
  installation: {
    name: string;
    value: string;
  };
  publish_audits: {
    id: number;
    started_at: number;
    finished_at: number | null;
    pages: number;
    missed: string;
  };
  ballot_secrets: {
    ballot_key: number;
    secret: string;
    after_id: number;
  };
  vote_decisions: {
    key: number;
    ballot_key: number;
    /** Counted per ballot, from 1. */
    number: number;
    action: 'hold' | 'set-aside';
    state: 'held' | 'set-aside' | 'released' | 'expired';
    reason: Intervention['reason'];
    votes: number;
    cluster: string;
    first_id: number;
    last_id: number;
    made_by: string;
    made_at: number;
    decided_by: string | null;
    decided_at: number | null;
    expires_at: number | null;
    note: string;
  };
  integrity_actions: {
    id: number;
    at: number;
    actor: string;
    action: IntegrityAction;
    ballot_key: number;
    ballot_id: string;
    decision_key: number | null;
    reason: Intervention['reason'] | null;
    votes: number;
    note: string;
    flag: string | null;
  };
  vote_erasures: {
    id: number;
    done_id: number;
    last_id: number;
  };
  vote_logs: {
    key: number;
    origin: string;
    ballot_id: string | null;
    ballot_key: number | null;
    is_public: StoredBoolean;
    paper: string | null;
    tag: string | null;
    wording: string | null;
    size: number;
    waiting: number;
    checkpoints: number;
    results: number;
    first_id: number | null;
    last_id: number;
    last_action: number;
    opened_at: number;
    published_at: number;
    checked_at: number;
    closed_at: number | null;
    result_due: StoredBoolean;
    problem: string | null;
    reopened: number;
  };
  vote_log_tiles: {
    log_key: number;
    level: number;
    tile: number;
    hashes: Buffer;
  };
  vote_log_waiting: {
    log_key: number;
    first_id: number;
    hashes: Buffer;
  };
  vote_log_checkpoints: {
    log_key: number;
    number: number;
    size: number;
    note: string;
  };
  vote_log_entries: {
    log_key: number;
    number: number;
    poll_log_key: number | null;
    text: string;
  };
  vote_log_results: {
    log_key: number;
    version: number;
    ballots: number;
    size: number;
    sha256: string;
    bytes: number;
    content: string;
    published_at: number;
  };
  vote_log_files: {
    log_key: number;
    version: number;
    part: number;
    content: Buffer;
  };
  vote_log_keys: {
    public_key: string;
    announced_at: number;
    handover: string | null;
  };
  vote_log_earlier: {
    option_key: number;
    votes: number;
  };
  integrity_scores: {
    ballot_key: number;
    score: number;
    detection: string;
    scored_at: number;
  };
  counted_ballots: {
    ballot_key: number;
    votes: number;
    counted_at: number;
  };
  option_days: {
    ballot_key: number;
    option_key: number;
    hours: number;
    starts_at: number;
    votes: number;
  };
  guesses: {
    ballot_key: number;
    option_key: number;
    percent: number;
    guesses: number;
  };
  guess_accuracy: {
    user_id: string;
    guesses: number;
    points: number;
  };
  search_documents: {
    key: number;
    kind: 'poll' | 'report' | 'community' | 'article';
    ballot_id: string | null;
    slug: string | null;
    title: string;
    details: string;
    body: string;
    folded: string;
    starts_at: number;
    dated_at: number;
  };
  search_unlearned: {
    document_key: number;
  };
  search_spellings: {
    spelling: string;
    word: string;
  };
  poll_topics: {
    poll_id: string;
    kind: 'tag' | 'series';
    slug: string;
    name: string;
    closed_at: number | null;
  };
  recovery_codes: {
    user_id: string;
    position: number;
    digest: string;
  };
  reset_links: {
    digest: string;
    user_id: string;
    made_by: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  email_changes: {
    user_id: string;
    email: string;
    requested_at: number;
    digest: string | null;
    expires_at: number | null;
  };
  notifications: {
    id: number;
    user_id: string;
    kind: NotificationKind;
    subject: string;
    poll_id: string | null;
    reason: string | null;
    created_at: number;
    latest_at: number;
    read_at: number | null;
  };
  notification_mutes: {
    user_id: string;
    kind: MutableKind;
  };
  notification_readers: {
    user_id: string;
    results_after: number;
    feed_digest: string | null;
    feed_created_at: number | null;
    digest: 'daily' | 'weekly' | null;
  };
  unfinished_decisions: {
    key: number;
    ballot_key: number;
    is_staged: StoredBoolean;
    after_id: number;
    last_id: number;
    touched_at: number;
  };
  invite_links: {
    poll_id: string;
    digest: string;
    created_at: number;
    expires_at: number;
    uses: number;
    max_uses: number;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: string;
    counter: number;
    created_at: number;
    last_used_at: number | null;
  };
  passkey_challenges: {
    owner: string;
    challenge: string;
    expires_at: number;
  };
  community_poll_edits: {
    key: number;
    poll_id: string;
    edited_at: number;
    changes: string;
  };
  member_blocks: {
    blocker_id: string;
    blocked_id: string;
    blocked_at: number;
  };
  moderation_actions: {
    id: number;
    actor: string;
    action: ModerationAction;
    kind: ReportedKind;
    subject: string;
    label: string | null;
    member_id: string | null;
    reason: string;
    created_at: number;
    until: number | null;
    ended_at: number | null;
    appeal: string | null;
    appealed_at: number | null;
    granted: StoredBoolean | null;
    decided_at: number | null;
    decision_reason: string | null;
  };
  content_origins: {
    kind: 'comment' | 'poll';
    subject: string;
    user_id: string;
    network: number;
    created_at: number;
  };
  member_pictures: {
    user_id: string;
    hash: string;
    content: Buffer;
  };
  operators: {
    user_id: string;
    role: 'owner' | 'editor' | 'moderator';
    created_at: number;
    invited_by: string;
    desk_mail: StoredBoolean;
  };
  operator_invitations: {
    id: number;
    digest: string;
    role: 'owner' | 'editor' | 'moderator';
    made_by: string;
    made_by_id: string | null;
    created_at: number;
    expires_at: number;
  };
  operator_settings: {
    name: string;
    value: string;
  };
  api_tokens: {
    id: number;
    digest: string;
    name: string;
    scopes: string;
    made_by: string;
    made_by_id: string | null;
    created_at: number;
    expires_at: number | null;
    last_used_day: number | null;
  };
  poll_drafts: {
    id: string;
    version: number;
    question: string;
    content: string;
    base: string | null;
    created_at: number;
    changed_at: number;
    changed_by: string;
  };
  poll_versions: {
    poll_id: string;
    number: number;
    content: string;
    created_at: number;
    created_by: string | null;
  };
  deleted_polls: {
    id: string;
    deleted_at: number;
    reason: string;
    redirect_to: string | null;
  };
  webhooks: {
    id: string;
    url: string;
    events: string;
    secret: string;
    previous_secret: string | null;
    previous_until: number | null;
    paused_by: 'operator' | 'failures' | null;
    failing_since: number | null;
    created_at: number;
  };
  webhook_deliveries: {
    id: number;
    webhook_id: string;
    message_id: string;
    type: string;
    data: string;
    created_at: number;
    attempts: number;
    attempted_at: number | null;
    delivered_at: number | null;
    status: number | null;
    milliseconds: number | null;
    answer: string | null;
  };
  poll_openings: {
    ballot_id: string;
  };
  insight_counts: {
    poll_id: string;
    kind: 'vote' | 'share' | 'embed';
    day: number;
    label: string;
    count: number;
  };
  vote_hours: {
    ballot_key: number;
    hour: number;
    votes: number;
  };
  content_entries: {
    id: number;
    folder: 'blog' | 'pages' | 'legal';
    name: string;
    source: string;
    live: string | null;
    version: number;
    publish_at: number | null;
    publish_version: number | null;
    withdrawn_at: number | null;
    deleted_at: number | null;
    file_source: string | null;
    newer_file: string | null;
    created_at: number;
    updated_at: number;
    updated_by: string;
    reviewed_at: number | null;
    reviewed_by: string | null;
  };
  content_versions: {
    id: number;
    entry_id: number;
    version: number;
    source: string;
    event: ContentEvent;
    actor: string;
    created_at: number;
    published_at: number | null;
  };
  content_images: {
    name: string;
    content: Buffer;
    created_at: number;
    created_by: string;
  };
  reports: {
    id: number;
    user_id: string | null;
    email: string | null;
    kind: 'comment' | 'poll' | 'member';
    subject: string;
    comment_id: string | null;
    poll_id: string | null;
    member_id: string | null;
    category: ReportCategory;
    reason: string | null;
    created_at: number;
    handled_at: number | null;
  };
  email_invites: {
    id: string;
    poll_id: string;
    email: string;
    email_key: string;
    digest: string | null;
    invited_at: number;
  };
  stopped_invitations: {
    digest: string;
    stopped_at: number;
  };
  network_votes: {
    ballot_key: number;
    network: number;
    option_key: number;
    votes: number;
    further: number;
  };
  digest_salts: {
    scope: string;
    salt: string;
    created_at: number;
  };
  independent_votes: {
    ballot_key: number;
    /** By option id, in no order. */
    votes: string;
    flagged: string | null;
    counted_at: number;
    /** Counted after the end. */
    final: StoredBoolean;
    logged_at: number | null;
  };
  vote_log_cosignatures: {
    log_key: number;
    witness: string;
    size: number;
    note: string | null;
    failures: number;
    failing_since: number | null;
    due_at: number;
    problem: string | null;
  };
  witnessed_logs: {
    origin: string;
    size: number;
    root: string;
    note: string | null;
    cosigned_at: number;
  };
  used_addresses: {
    ballot_key: number;
    digest: string;
  };
  vote_codes: {
    id: string;
    ballot_key: number;
    address: string;
    code: string | null;
    tries: number;
    confirmed: StoredBoolean;
    expires_at: number;
  };
  known_devices: {
    digest: string;
    user_id: string;
    name: string | null;
    known_from: number;
    expires_at: number;
    code: string | null;
    code_tries: number;
    code_expires_at: number | null;
  };
  ballot_papers: {
    ballot_key: number;
    paper: string;
    checked_at: number;
  };
  events: {
    id: number;
    at: number;
    type: string;
    subject_kind: string;
    subject: string;
    actor: string | null;
    actor_id: string | null;
    member_id: string | null;
    before: string | null;
    after: string | null;
  };
  jobs: {
    id: number;
    kind: string;
    key: string | null;
    lane: string;
    user_id: string | null;
    payload: string;
    due_at: number;
    first_due_at: number;
    attempts: number;
    lease: string | null;
  };
  recurrences: {
    series: string;
    content: string;
    rule: string;
    newest_at: number;
    changed_by: string;
  };
}

export type Row<Table extends keyof Rows> = Rows[Table];

/** What a column may be given: a value, or a query or expression that yields it. */
type Written<Columns> = {
  readonly [Column in keyof Columns]?: Columns[Column] | Knex.Raw | Knex.QueryBuilder | Knex.Ref<string, object>;
};

declare module 'knex/types/tables.js' {
  type Typed = {
    [Table in keyof Rows]: Knex.CompositeTableType<Rows[Table], Written<Rows[Table]>, Written<Rows[Table]>>;
  };
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- Knex finds the tables under this name.
  interface Tables extends Typed {}
}
