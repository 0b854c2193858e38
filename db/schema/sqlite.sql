create table ballots (
  id varchar(80),
  kind varchar(16) not null constraint ballots_kind check (kind in ('poll','community')),
  is_active boolean not null default '1',
  listed boolean not null default '1', -- anyone may find it in lists and statistics
  category varchar(200) null,
  starts_at bigint not null,
  ends_at bigint null,
  closed_at bigint null,
  base_votes bigint not null default '0', -- votes that came with an import
  total_votes bigint not null default '0', -- base_votes + rows in votes
  archive_votes bigint generated always as (case when closed_at is not null then total_votes end) virtual,
  in_totals boolean not null default '1', -- false: a demonstration poll, or not listed
  key integer,
  held_votes bigint not null default 0 check (held_votes >= 0),
  set_aside_votes bigint not null default 0 check (set_aside_votes >= 0),
  challenge varchar(4) not null default 'auto' check (challenge in ('auto', 'on', 'off')),
  challenged_until bigint,
  publish_ballots boolean not null default true,
  erased_at bigint,
  log_difference text,
  protection smallint not null default 0 check (protection between 0 and 4),
  protection_raises text,
  primary key (id),
  constraint ballots_end_after_start check (ends_at is null or ends_at > starts_at),
  constraint ballots_votes check (total_votes >= base_votes and base_votes >= 0),
  constraint ballots_poll_ends check (kind <> 'poll' or ends_at is not null)
);
create index ballots_open on ballots (kind, starts_at, ends_at) where closed_at is null;
create index ballots_due on ballots (ends_at) where closed_at is null;
create index ballots_archive_time on ballots (kind, closed_at, id) where closed_at is not null;
create index ballots_category_time on ballots (kind, category, closed_at, id) where closed_at is not null;
create index ballots_archive_votes on ballots (kind, archive_votes, id) where closed_at is not null;
create index ballots_category_votes on ballots (kind, category, archive_votes, id) where closed_at is not null;
create unique index ballots_key on ballots (key);
create index ballots_unerased on ballots (closed_at) where erased_at is null and closed_at is not null;
create index ballots_challenged on ballots (key) where challenge = 'on' or challenged_until is not null;
create index ballots_differing on ballots (key) where log_difference is not null;
create index ballots_protected on ballots (key) where protection > 0;

create table ballot_options (
  ballot_id varchar(80) not null,
  option_id varchar(80) not null,
  position integer not null,
  offered boolean not null default '1', -- can be voted for
  text text not null,
  base_votes bigint not null default '0',
  votes bigint not null default '0', -- base_votes + rows in votes
  key integer,
  set_aside bigint not null default 0 check (set_aside >= 0),
  foreign key(ballot_id) references ballots(id) on delete cascade,
  primary key (ballot_id, option_id),
  constraint ballot_options_votes check (votes >= base_votes and base_votes >= 0)
);
create unique index ballot_options_ballot_id_position_unique on ballot_options (ballot_id, position);
create unique index ballot_options_key on ballot_options (key);

create table polls (
  id varchar(80),
  question text not null,
  description text not null,
  tags text not null default '[]', -- JSON array of texts
  author varchar(200) null,
  summary text null,
  analysis text null, -- HTML, made safe at import
  methodology_notes text null,
  country_breakdown text not null default '[]', -- JSON array of {name, percentage}
  created_at bigint not null,
  updated_at bigint not null,
  demonstration boolean not null default '0',
  series varchar(200),
  foreign key(id) references ballots(id) on delete cascade,
  primary key (id)
);
create index polls_demonstration on polls (id) where demonstration;

create table archive_categories (
  category varchar(200), -- empty text: polls without a category
  closed_polls bigint not null,
  primary key (category),
  constraint archive_categories_count check (closed_polls >= 0)
);

create table users (
  id varchar(40),
  username varchar(30) not null,
  username_key varchar(30) not null,
  email varchar(254) null,
  email_key varchar(254) null,
  password text not null, -- PHC string of a memory-hard hash
  first_name varchar(100) null,
  last_name varchar(100) null,
  profile_image_url text null,
  created_at bigint not null,
  updated_at bigint not null,
  email_confirmed_at bigint null,
  suspended_at bigint null,
  suspended_until bigint null, -- null: for good
  registered_in_crowd boolean not null default false,
  primary key (id)
);
create unique index users_username_key on users (username_key);
create index users_email on users (email_key);
create unique index users_confirmed_email on users (email_key) where email_confirmed_at is not null;
create index users_created_at on users (created_at);
create index users_suspended on users (suspended_until) where suspended_until is not null;

create table sessions (
  sid varchar(128),
  sess text not null, -- JSON
  user_id varchar(40) null,
  expire bigint not null,
  created_at bigint null,
  last_used_at bigint null, -- to a day
  device varchar(40) null, -- browser and system, such as "Firefox on Windows"
  password_at bigint null,
  passkey_at bigint null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (sid)
);
create index sessions_expire on sessions (expire);
create index sessions_user on sessions (user_id);

create table statistics (
  shard integer,
  total_votes bigint not null default '0',
  total_participants bigint not null default '0',
  total_polls bigint not null default '0',
  imported_votes bigint not null default '0',
  set_aside_votes bigint not null default 0,
  primary key (shard)
);

create table community_polls (
  id varchar(80),
  question varchar(400) not null,
  description text not null default '',
  visibility varchar(16) not null default 'public' constraint community_polls_visibility check (visibility in ('public','unlisted','private')),
  featured boolean not null default '0',
  created_by varchar(40) null, -- null: a former member
  tags text not null default '[]',
  created_at bigint not null,
  updated_at bigint not null,
  comment_count integer not null default '0', -- rows in comments that are not hidden
  category varchar(200) null, -- the ballot's, so that one index has all that a list sorts by
  result_visibility varchar(16) not null default 'after-voting' check (result_visibility in ('after-voting', 'always', 'after-end', 'creator')),
  comments_open boolean not null default '1',
  wording integer not null default '0', -- how often the texts were replaced before the first vote
  edited_at bigint null, -- of the newest row in community_poll_edits
  ballot_ends_at bigint null,
  ballot_closed_at bigint null,
  ranked_votes bigint not null default '0',
  trend bigint not null default '0',
  taken_down_by varchar(16) null, -- moderator or suspension; the visibility is private meanwhile
  taken_down_from varchar(16) null, -- the visibility to restore
  foreign key(id) references ballots(id) on delete cascade,
  foreign key(created_by) references users(id) on delete set null,
  primary key (id)
);
create index community_polls_featured on community_polls (created_at, id) where featured;
create index community_polls_of_user on community_polls (created_by, created_at, id);
create index community_polls_newest on community_polls (visibility, created_at, id, category, ballot_closed_at);
create index community_polls_category on community_polls (visibility, category, created_at, id, ballot_closed_at);
create index community_polls_votes on community_polls (visibility, ranked_votes, created_at, id, category, ballot_closed_at);
create index community_polls_trend on community_polls (visibility, trend, created_at, id, category, ballot_closed_at);
create index community_polls_ending on community_polls (visibility, ballot_ends_at, id, category) where ballot_closed_at is null and ballot_ends_at is not null;
create index community_polls_open on community_polls (visibility, created_at, id, category) where ballot_closed_at is null;
create index community_polls_ranked on community_polls (visibility, id, ranked_votes);

create table community_poll_guests (
  poll_id varchar(80) not null,
  user_id varchar(40) not null,
  invited_at bigint not null,
  accepted_at bigint null,
  foreign key(poll_id) references community_polls(id) on delete cascade,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (poll_id, user_id)
);
create index community_poll_guests_user on community_poll_guests (user_id);

create table comments (
  id varchar(40),
  poll_id varchar(80) not null,
  user_id varchar(40) not null,
  content text not null,
  hidden boolean not null default '0',
  created_at bigint not null,
  updated_at bigint not null,
  hidden_by varchar(8) check (hidden_by in ('creator', 'operator')),
  reply_to varchar(40) null references comments (id) on delete set null,
  edited_at bigint null,
  hidden_by_suspension boolean not null default '0',
  foreign key(poll_id) references community_polls(id) on delete cascade,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (id)
);
create index comments_of_poll on comments (poll_id, created_at, id);
create index comments_of_user on comments (user_id);
create index comments_of_poll_first on comments (poll_id, created_at, id) where reply_to is null;
create index comments_replies on comments (reply_to, created_at, id, hidden, hidden_by) where reply_to is not null;

create table badges (
  id integer not null primary key autoincrement,
  user_id varchar(40) not null,
  badge_type varchar(64) not null,
  earned_at bigint not null,
  metadata text not null default '{}',
  announced boolean not null default '0',
  foreign key(user_id) references users(id) on delete cascade
);
create unique index badges_once on badges (user_id, badge_type);

create table blog_posts (
  id integer not null primary key autoincrement,
  slug varchar(120) not null,
  title text not null,
  excerpt text not null,
  content text not null, -- HTML
  category varchar(120) not null,
  author varchar(200) not null,
  tags text not null default '[]',
  featured boolean not null default '0',
  published boolean not null default '1',
  published_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  gone boolean not null default '0' -- unpublished or deleted in the browser
);
create unique index blog_posts_slug on blog_posts (slug);
create index blog_posts_newest on blog_posts (published, featured, published_at);

create table site_releases (
  id varchar(40),
  created_at bigint not null,
  published_at bigint null,
  pages integer not null,
  bytes bigint not null,
  is_current boolean not null default '0',
  primary key (id)
);
create unique index site_releases_one_current on site_releases (is_current) where is_current;

create table attempts (
  key varchar(43),
  used integer not null,
  resets_at bigint not null,
  primary key (key)
);
create index attempts_resets_at on attempts (resets_at);

create table poll_imports (
  id integer not null primary key autoincrement,
  started_at bigint not null,
  finished_at bigint null,
  heartbeat_at bigint not null,
  origin varchar(16) not null constraint poll_imports_origin check (origin in ('page','terminal')),
  file_name varchar(255) null,
  mode varchar(16) not null,
  state varchar(16) not null constraint poll_imports_state check (state in ('running','done','refused','stopped','undoing','undone')),
  busy boolean not null default '0', -- running or undoing
  message text not null default '',
  inserted integer not null default '0',
  updated integer not null default '0',
  unchanged integer not null default '0',
  rejected integer not null default '0',
  undone_at bigint null,
  removed integer not null default '0', -- by the undo
  restored integer not null default '0', -- by the undo
  kept_voted integer not null default '0', -- new polls that stay: people voted on them
  kept_changed integer not null default '0', -- updated polls that stay: changed by hand since
  discards_edits boolean not null default '0',
  kept_later integer not null default '0' -- polls that stay: a later import changed them
);
create unique index poll_imports_one_busy on poll_imports (busy) where busy;

create table poll_import_images (
  import_id bigint not null,
  poll_id varchar(80) not null,
  before text null, -- JSON of the poll as it was; null: there was none
  size integer not null, -- characters of the poll before and after
  updated_at bigint not null, -- the poll's after the import: another one is a later change
  kept varchar(16) null constraint poll_import_images_kept check (kept in ('votes','changes')),
  foreign key(import_id) references poll_imports(id) on delete cascade,
  primary key (import_id, poll_id)
);
create index poll_import_images_poll on poll_import_images (poll_id, import_id);

create table idempotency_keys (
  user_id varchar(40) not null,
  key varchar(64) not null,
  request varchar(43) not null, -- digest of call, parameters, and body
  entity_id varchar(80) not null,
  expires_at bigint not null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id, key)
);
create index idempotency_keys_expire on idempotency_keys (expires_at);

create table ballot_deletions (
  ballot_key integer,
  done_id bigint not null, -- votes up to this id are deleted
  last_id bigint not null, -- the newest vote when the ballot was deleted
  primary key (ballot_key)
);

create table votes (
  id integer primary key,
  ballot_key integer not null,
  option_key integer not null,
  device blob not null,
  cookie blob,
  user_id varchar(40),
  created_at integer not null,
  traits smallint,
  decision_key integer,
  network bigint,
  nonce blob
);
create unique index votes_device on votes (device, ballot_key);
create unique index votes_cookie on votes (cookie, ballot_key) where cookie is not null;
create unique index votes_user on votes (user_id, ballot_key) where user_id is not null;

create table voters (
  digest blob primary key,
  counted integer not null default 0
) without rowid;

create table installation (
  name varchar(40),
  value text not null,
  primary key (name)
);

create table publish_audits (
  id integer not null primary key autoincrement,
  started_at bigint not null,
  finished_at bigint null,
  pages integer not null default '0',
  missed text not null default '[]' -- addresses that differed although nobody recorded a change
);

create table network_salts (
  week integer, -- ISO weeks since 1970
  salt varchar(44) not null, -- 32 random bytes in base64
  created_at bigint not null,
  primary key (week)
);

create table ballot_secrets (
  ballot_key integer,
  secret varchar(44) not null, -- 32 random bytes in base64
  after_id bigint not null, -- all votes on the ballot have higher ids
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key)
);

create table vote_decisions (
  key integer not null primary key autoincrement,
  ballot_key integer not null,
  number integer not null, -- from 1 within its ballot
  action varchar(16) not null constraint vote_decisions_action check (action in ('hold','set-aside')),
  state varchar(16) not null constraint vote_decisions_state check (state in ('held','set-aside','released','expired')),
  reason varchar(32) not null,
  votes bigint not null,
  cluster text not null, -- JSON: criteria and evidence
  first_id bigint not null, -- the votes have ids from this one
  last_id bigint not null, -- to this one
  made_by varchar(80) not null,
  made_at bigint not null,
  decided_by varchar(80) null,
  decided_at bigint null,
  expires_at bigint null, -- of a hold
  note text not null default '',
  foreign key(ballot_key) references ballots(key) on delete cascade,
  constraint vote_decisions_votes check (votes >= 0)
);
create unique index vote_decisions_number on vote_decisions (ballot_key, number);
create index vote_decisions_held on vote_decisions (expires_at) where state = 'held';

create table integrity_actions (
  id integer not null primary key autoincrement,
  at bigint not null,
  actor varchar(80) not null,
  action varchar(16) not null,
  ballot_key integer not null,
  ballot_id varchar(80) not null, -- a key may be given again
  decision_key integer null,
  reason varchar(32) null,
  votes bigint not null default '0',
  note text not null default '',
  flag varchar(40)
);
create index integrity_actions_of_ballot on integrity_actions (ballot_id, id);
create unique index integrity_actions_genuine on integrity_actions (ballot_id, flag, votes) where flag is not null;

create table vote_erasures (
  id integer not null primary key autoincrement,
  done_id bigint not null, -- votes up to this id are erased
  last_id bigint not null -- the newest vote when the erasure began
);

create table vote_logs (
  key integer not null primary key autoincrement,
  origin varchar(500) not null,
  ballot_id varchar(80) null, -- null: a site-wide log
  ballot_key integer null, -- null: a site-wide log, a deleted poll, or replaced after a restore
  is_public boolean not null, -- has entries in the site-wide log
  paper text null, -- JSON; null: a site-wide log, or nothing of it is kept but its origin
  tag varchar(44) null,
  wording varchar(44) null, -- tag of the paper with the wording of the newest amendment
  size bigint not null default '0', -- leaves in the newest checkpoint
  waiting bigint not null default '0', -- collected leaves for later checkpoints
  checkpoints integer not null default '0',
  results integer not null default '0',
  first_id bigint null, -- of its first vote
  last_id bigint not null default '0', -- of its newest collected vote
  last_action bigint not null default '0', -- the newest integrity action that has its entry
  opened_at bigint not null,
  published_at bigint not null, -- when leaves were published last, or it opened
  checked_at bigint not null, -- when its wording was compared with the poll’s
  closed_at bigint null,
  result_due boolean not null default '0', -- closed, and something in its result has changed
  problem text null, -- why it could not be closed or continued
  reopened integer not null default '0',
  foreign key(ballot_key) references ballots(key) on delete set null
);
create unique index vote_logs_origin on vote_logs (origin);
create unique index vote_logs_ballot on vote_logs (ballot_key) where ballot_key is not null;
create index vote_logs_poll on vote_logs (ballot_id);
create index vote_logs_open on vote_logs (key) where ballot_key is not null and closed_at is null;
create index vote_logs_waiting on vote_logs (published_at) where waiting > 0;
create index vote_logs_ended on vote_logs (key) where ballot_key is null and paper is not null;
create index vote_logs_result on vote_logs (key) where result_due;
create index vote_logs_problem on vote_logs (key) where problem is not null;

create table vote_log_tiles (
  log_key integer not null,
  level integer not null,
  tile integer not null,
  hashes blob not null, -- up to 256 of 32 bytes; those beyond the size of the log do not count yet
  primary key (log_key, level, tile)
);

create table vote_log_waiting (
  log_key integer not null,
  first_id bigint not null, -- of its first vote, which orders them
  hashes blob not null, -- leaves in the order of their votes
  primary key (log_key, first_id)
);

create table vote_log_checkpoints (
  log_key integer not null,
  number integer not null, -- of a site-wide log: 0, for only the newest is kept
  size bigint not null,
  note text not null,
  primary key (log_key, number)
);

create table vote_log_entries (
  log_key integer not null, -- of the site-wide log
  number bigint not null,
  poll_log_key integer null, -- of the poll’s log that it is about
  text text not null,
  primary key (log_key, number)
);
create index vote_log_entries_poll on vote_log_entries (poll_log_key, number);

create table vote_log_results (
  log_key integer not null,
  version integer not null,
  ballots bigint not null,
  size bigint not null,
  sha256 varchar(44) not null,
  bytes bigint not null, -- of the compressed file; 0: ballots are not published
  content varchar(44) not null, -- digest of what it shows, apart from its version
  published_at bigint not null,
  primary key (log_key, version)
);

create table vote_log_files (
  log_key integer not null,
  version integer not null,
  part integer not null,
  content blob not null,
  primary key (log_key, version, part)
);

create table vote_log_keys (
  public_key varchar(44),
  announced_at bigint not null, -- when it got its entry in the site-wide log
  handover text null, -- site-wide checkpoint that announces this key, signed by the one before
  primary key (public_key)
);

create table vote_log_earlier (
  option_key integer,
  votes bigint not null, -- cast here before there was a log
  primary key (option_key)
);

create table integrity_scores (
  ballot_key integer,
  score integer not null,
  detection text not null, -- JSON
  scored_at bigint not null,
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key)
);
create index integrity_scores_score on integrity_scores (score);

create table counted_ballots (
  ballot_key integer,
  votes bigint not null, -- the votes cast here when they were counted
  counted_at bigint not null,
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key)
);

create table option_days (
  ballot_key integer not null,
  option_key integer not null,
  hours integer not null constraint option_days_hours check (hours in ('1','24')), -- length of the period
  starts_at bigint not null,
  votes bigint not null,
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key, hours, starts_at, option_key)
);

create table guesses (
  ballot_key integer not null,
  option_key integer not null,
  percent integer not null,
  guesses bigint not null,
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key, option_key, percent),
  constraint guesses_percent check (percent between 0 and 100)
);

create table guess_accuracy (
  user_id varchar(40),
  guesses bigint not null,
  points bigint not null, -- sum of the points by which they were off
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id)
);

create table search_documents (
  key integer not null primary key autoincrement,
  kind varchar(16) not null constraint search_documents_kind check (kind in ('poll','report','community','article')), -- report: a closed weekly poll
  ballot_id varchar(80) null,
  slug varchar(120) null,
  title text not null,
  details text not null, -- options, tags, and category
  body text not null, -- everything else, without markup
  folded text not null, -- words with diacritics, without them
  starts_at bigint not null, -- not found before
  dated_at bigint not null, -- the date that results show
  foreign key(ballot_id) references ballots(id) on delete cascade,
  foreign key(slug) references blog_posts(slug) on delete cascade,
  constraint search_documents_subject check ((ballot_id is null) <> (slug is null))
);
create unique index search_documents_ballot on search_documents (ballot_id);
create unique index search_documents_slug on search_documents (slug);

create virtual table search_titles using fts5 ( title, content = 'search_documents', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3' );

create table search_unlearned (
  document_key integer,
  foreign key(document_key) references search_documents(key) on delete cascade,
  primary key (document_key)
);

create table search_spellings (
  spelling varchar(24) not null, -- the word, or the word without one of its letters
  word varchar(24) not null,
  primary key (spelling, word)
);
create index search_spellings_word on search_spellings (word);

create table poll_topics (
  poll_id varchar(80) not null,
  kind varchar(8) not null constraint poll_topics_kind check (kind in ('tag','series')),
  slug varchar(80) not null,
  name varchar(200) not null, -- as the poll spells it
  closed_at bigint null,
  foreign key(poll_id) references polls(id) on delete cascade,
  primary key (poll_id, kind, slug)
);
create index poll_topics_closed on poll_topics (kind, slug, closed_at, poll_id) where closed_at is not null;

create table recovery_codes (
  user_id varchar(40) not null,
  position integer not null constraint recovery_codes_position check (position between 1 and 8),
  digest varchar(43) not null, -- SHA-256 of account and code
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id, position)
);
create unique index recovery_codes_digest on recovery_codes (user_id, digest);

create table reset_links (
  digest varchar(43), -- SHA-256 of the secret in the link
  user_id varchar(40) not null,
  made_by varchar(20) not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (digest)
);
create index reset_links_user on reset_links (user_id);
create index reset_links_expires_at on reset_links (expires_at);

create table email_changes (
  user_id varchar(40),
  email varchar(254) not null,
  requested_at bigint not null,
  digest varchar(43) null,
  expires_at bigint null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id)
);
create unique index email_changes_digest on email_changes (digest);
create index email_changes_requested on email_changes (requested_at);

create table notifications (
  id integer not null primary key autoincrement,
  user_id varchar(40) not null,
  kind varchar(16) not null,
  subject varchar(80) not null, -- the poll, comment, or badge
  poll_id varchar(80) null,
  reason text null,
  created_at bigint not null, -- of the first event in a group
  latest_at bigint not null, -- of the last one
  read_at bigint null,
  foreign key(user_id) references users(id) on delete cascade
);
create index notifications_of_member on notifications (user_id, latest_at, id);
create index notifications_expiry on notifications (latest_at);
create unique index notifications_unread on notifications (user_id, kind, subject) where read_at is null;

create table notification_mutes (
  user_id varchar(40) not null,
  kind varchar(16) not null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id, kind)
);

create table notification_readers (
  user_id varchar(40) not null,
  results_after bigint not null, -- polls that closed earlier are not looked at again
  feed_digest varchar(43) null,
  feed_created_at bigint null,
  digest varchar(8) null, -- daily or weekly; null: never
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id)
);
create unique index notification_readers_feed on notification_readers (feed_digest);

create table unfinished_decisions (
  key integer, -- of the decision
  ballot_key integer not null,
  is_staged boolean not null, -- not in effect yet; otherwise over, or given up
  after_id bigint not null, -- votes with this mark have higher ids
  last_id bigint not null, -- up to this one
  touched_at bigint not null, -- when a vote was marked last
  primary key (key)
);
create unique index unfinished_decisions_staged on unfinished_decisions (ballot_key) where is_staged;

create table invite_links (
  poll_id varchar(80),
  digest varchar(43) not null, -- SHA-256 of the secret
  created_at bigint not null,
  expires_at bigint not null,
  uses integer not null default '0',
  max_uses integer not null,
  foreign key(poll_id) references community_polls(id) on delete cascade,
  primary key (poll_id),
  constraint invite_links_uses check (uses between 0 and max_uses)
);
create unique index invite_links_digest on invite_links (digest);

create table passkeys (
  id varchar(43), -- SHA-256 of the credential ID
  user_id varchar(40) not null,
  name varchar(60) not null,
  credential_id text not null, -- base64url
  public_key text not null, -- COSE key, base64url
  counter bigint not null,
  created_at bigint not null,
  last_used_at bigint null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (id)
);
create index passkeys_user on passkeys (user_id);

create table passkey_challenges (
  owner varchar(43), -- digest of the session or browser that asked for it
  challenge varchar(43) not null,
  expires_at bigint not null,
  primary key (owner)
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

create table community_poll_edits (
  key integer not null primary key autoincrement,
  poll_id varchar(80) not null,
  edited_at bigint not null,
  changes text not null, -- JSON array of {field, before, after}
  foreign key(poll_id) references community_polls(id) on delete cascade
);
create index community_poll_edits_of_poll on community_poll_edits (poll_id, key);

create table member_blocks (
  blocker_id varchar(40) not null,
  blocked_id varchar(40) not null,
  blocked_at bigint not null,
  foreign key(blocker_id) references users(id) on delete cascade,
  foreign key(blocked_id) references users(id) on delete cascade,
  primary key (blocker_id, blocked_id)
);
create index member_blocks_blocked on member_blocks (blocked_id);

create table moderation_actions (
  id integer not null primary key autoincrement,
  actor varchar(16) not null,
  action varchar(16) not null,
  kind varchar(16) not null,
  subject varchar(80) not null,
  label varchar(200) null, -- what it was about; null once the member’s account is deleted
  member_id varchar(40) null,
  reason varchar(2000) not null,
  created_at bigint not null,
  until bigint null, -- of a suspension; null: for good
  ended_at bigint null, -- when it was taken back
  appeal varchar(2000) null,
  appealed_at bigint null,
  granted boolean null,
  decided_at bigint null,
  decision_reason varchar(2000) null,
  foreign key(member_id) references users(id) on delete set null,
  constraint moderation_actions_appeal check ((appeal is null) = (appealed_at is null)),
  constraint moderation_actions_decision check (decided_at is null or (appealed_at is not null and granted is not null))
);
create index moderation_actions_member on moderation_actions (member_id, id);
create index moderation_actions_subject on moderation_actions (kind, subject);
create index moderation_actions_expiry on moderation_actions (created_at);
create index moderation_actions_appeals on moderation_actions (appealed_at) where appealed_at is not null and decided_at is null;

create table content_origins (
  kind varchar(16) not null,
  subject varchar(80) not null,
  user_id varchar(40) not null,
  network bigint not null, -- a digest with a salt of its week
  created_at bigint not null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (kind, subject)
);
create index content_origins_network on content_origins (network);
create index content_origins_user on content_origins (user_id);
create index content_origins_expiry on content_origins (created_at);

create table member_pictures (
  user_id varchar(40),
  hash varchar(43) not null, -- SHA-256 of the content, base64url
  content blob not null, -- WebP
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id)
);
create index member_pictures_hash on member_pictures (hash);

create table operators (
  user_id varchar(40),
  role varchar(16) not null,
  created_at bigint not null,
  invited_by varchar(80) not null, -- name at the time
  desk_mail boolean not null default '1',
  foreign key(user_id) references users(id) on delete cascade,
  primary key (user_id),
  constraint operators_role check (role in ('owner', 'editor', 'moderator'))
);

create table operator_invitations (
  id integer not null primary key autoincrement,
  digest varchar(43) not null,
  role varchar(16) not null,
  made_by varchar(80) not null, -- name at the time
  made_by_id varchar(40) null,
  created_at bigint not null,
  expires_at bigint not null,
  foreign key(made_by_id) references operators(user_id) on delete cascade,
  constraint operator_invitations_role check (role in ('owner', 'editor', 'moderator'))
);
create unique index operator_invitations_digest on operator_invitations (digest);
create index operator_invitations_maker on operator_invitations (made_by_id);

create table operator_settings (
  name varchar(40),
  value text not null,
  primary key (name)
);

create table api_tokens (
  id integer not null primary key autoincrement,
  digest varchar(43) not null,
  name varchar(60) not null,
  scopes varchar(80) not null, -- separated by spaces
  made_by varchar(80) not null, -- name at the time
  made_by_id varchar(40) null,
  created_at bigint not null,
  expires_at bigint null,
  last_used_day integer null, -- days since 1970
  foreign key(made_by_id) references operators(user_id) on delete cascade
);
create unique index api_tokens_digest on api_tokens (digest);
create index api_tokens_maker on api_tokens (made_by_id);

create table poll_drafts (
  id varchar(80), -- the id that the poll has, or will have
  version integer not null, -- grows by one with each save
  question text not null, -- for lists and searches; also in content
  content text not null, -- JSON, see PollContent
  base text null, -- what was published when the draft was begun; null: nothing
  created_at bigint not null,
  changed_at bigint not null,
  changed_by varchar(200) not null,
  primary key (id),
  constraint poll_drafts_version check (version > 0)
);
create index poll_drafts_newest on poll_drafts (changed_at, id);

create table poll_versions (
  poll_id varchar(80) not null,
  number integer not null,
  content text not null, -- JSON, see PollContent
  created_at bigint not null,
  created_by varchar(200) null, -- null: by an import, or unknown
  primary key (poll_id, number)
);

create table deleted_polls (
  id varchar(80),
  deleted_at bigint not null,
  reason varchar(500) not null,
  redirect_to varchar(80) null, -- the poll that the address leads to
  primary key (id),
  constraint deleted_polls_redirect check (redirect_to is null or redirect_to <> id)
);

create table webhooks (
  id varchar(24),
  url varchar(2000) not null,
  events varchar(400) not null, -- names, separated by spaces
  secret varchar(80) not null, -- signs deliveries, so it can’t be a digest
  previous_secret varchar(80) null,
  previous_until bigint null, -- until when the previous secret signs, too
  paused_by varchar(16) null constraint webhooks_paused_by check (paused_by in ('operator','failures')),
  failing_since bigint null, -- the first failure since the last success
  created_at bigint not null,
  primary key (id),
  constraint webhooks_previous check ((previous_secret is null) = (previous_until is null))
);

create table webhook_deliveries (
  id integer not null primary key autoincrement,
  webhook_id varchar(24) not null,
  message_id varchar(40) not null,
  type varchar(40) not null,
  data text not null, -- JSON
  created_at bigint not null,
  attempts integer not null default '0',
  attempted_at bigint null,
  delivered_at bigint null,
  status integer null, -- of the last response
  milliseconds integer null,
  answer text null, -- the beginning of the last response, or why there was none
  foreign key(webhook_id) references webhooks(id) on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_expiry on webhook_deliveries (created_at);

create table poll_openings (
  ballot_id varchar(80),
  foreign key(ballot_id) references ballots(id) on delete cascade,
  primary key (ballot_id)
);

create table insight_counts (
  poll_id varchar(80) not null,
  kind varchar(8) not null constraint insight_counts_kind check (kind in ('vote','share','embed')),
  day integer not null, -- days since 1970 in UTC
  label varchar(253) not null, -- a host name or a target
  count bigint not null,
  foreign key(poll_id) references ballots(id) on delete cascade,
  primary key (poll_id, kind, label, day)
);
create index insight_counts_day on insight_counts (day);

create table vote_hours (
  ballot_key integer not null,
  hour integer not null, -- hours since 1970
  votes bigint not null, -- received, whether counted or not
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key, hour)
);
create index vote_hours_hour on vote_hours (hour);

create table content_entries (
  id integer not null primary key autoincrement,
  folder varchar(8) not null constraint content_entries_folder check (folder in ('blog','pages','legal')),
  name varchar(120) not null, -- the slug of an article, or the name of a page
  source text not null, -- front matter and Markdown, as last saved
  live text null, -- what is published
  version integer not null, -- of source; each save has a new one
  publish_at bigint null,
  publish_version integer null,
  withdrawn_at bigint null, -- unpublished or deleted in the browser
  deleted_at bigint null,
  file_source text null, -- the file that source is from or was edited from
  newer_file text null, -- a later file that an edit in the browser keeps out
  created_at bigint not null,
  updated_at bigint not null,
  updated_by varchar(100) not null,
  reviewed_at bigint null,
  reviewed_by varchar(100) null,
  constraint content_entries_schedule check ((publish_at is null) = (publish_version is null)),
  constraint content_entries_withdrawn check (withdrawn_at is null or live is null),
  constraint content_entries_deleted check (deleted_at is null or (folder = 'blog' and withdrawn_at is not null and publish_at is null))
);
create unique index content_entries_name on content_entries (folder, name);
create index content_entries_due on content_entries (publish_at) where publish_at is not null;

create table content_versions (
  id integer not null primary key autoincrement,
  entry_id integer not null,
  version integer not null,
  source text not null,
  event varchar(16) not null,
  actor varchar(100) not null,
  created_at bigint not null,
  published_at bigint null, -- when it was first published
  foreign key(entry_id) references content_entries(id) on delete cascade
);
create unique index content_versions_version on content_versions (entry_id, version);

create table content_images (
  name varchar(60), -- SHA-256 of the content, base64url, with width and height
  content blob not null, -- WebP
  created_at bigint not null,
  created_by varchar(100) not null,
  primary key (name)
);

create table reports (
  id integer not null primary key autoincrement,
  user_id varchar(40) null,
  email varchar(254) null,
  kind varchar(16) not null constraint reports_kind check (kind in ('comment','poll','member')),
  subject varchar(80) not null,
  comment_id varchar(40) null,
  poll_id varchar(80) null,
  member_id varchar(40) null,
  category varchar(16) not null default 'other',
  reason varchar(2000) null,
  created_at bigint not null,
  handled_at bigint null,
  foreign key(user_id) references users(id) on delete cascade,
  foreign key(comment_id) references comments(id) on delete cascade,
  foreign key(poll_id) references community_polls(id) on delete cascade,
  foreign key(member_id) references users(id) on delete cascade,
  constraint reports_email check (email is null or (user_id is null and handled_at is null)),
  constraint reports_subject check (subject = coalesce(comment_id, poll_id, member_id))
);
create unique index reports_once on reports (kind, subject, user_id);
create index reports_user_id on reports (user_id);
create index reports_comment_id on reports (comment_id);
create index reports_poll_id on reports (poll_id);
create index reports_member_id on reports (member_id);
create index reports_open on reports (created_at) where handled_at is null;
create index reports_open_subjects on reports (kind, subject, id) where handled_at is null;
create index reports_handled on reports (created_at) where handled_at is not null;
create index reports_handled_subjects on reports (kind, subject, id) where handled_at is not null;

create table email_invites (
  id varchar(16),
  poll_id varchar(80) not null,
  email varchar(254) not null,
  email_key varchar(254) not null,
  digest varchar(43) null, -- SHA-256 of the secret
  invited_at bigint not null,
  foreign key(poll_id) references community_polls(id) on delete cascade,
  primary key (id)
);
create unique index email_invites_digest on email_invites (digest);
create unique index email_invites_once on email_invites (poll_id, email_key);
create index email_invites_invited on email_invites (invited_at);

create table stopped_invitations (
  digest varchar(43), -- SHA-256 of the key of the address
  stopped_at bigint not null,
  primary key (digest)
);

create virtual table search_index using fts5 ( kind, title, details, body, folded, content = 'search_documents', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2' );

create table network_votes (
  ballot_key integer not null references ballots (key) on delete cascade,
  network bigint not null,
  option_key integer not null,
  votes integer not null check (votes > 0),
  primary key (ballot_key, network, option_key)
) without rowid;

create table digest_salts (
  scope varchar(40), -- "week" and ISO weeks since 1970, or "ballot" and its key
  salt varchar(44) not null, -- 32 random bytes in base64
  created_at bigint not null,
  primary key (scope)
);

create table independent_votes (
  ballot_key integer,
  votes text not null, -- JSON: votes by option id
  flagged text, -- JSON: the networks that the detector flagged; null 30 days after the end
  counted_at bigint not null,
  final boolean not null, -- Counted after the end
  logged_at bigint, -- counted_at of the entry in the site-wide log
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key)
);

create table vote_log_cosignatures (
  log_key integer not null, -- of the site-wide log
  witness varchar(500) not null, -- its verifier key
  size bigint not null default '0', -- of the newest checkpoint that it cosigned
  note text null, -- that checkpoint with its cosignature only; null: none yet
  failures integer not null default '0', -- attempts since it cosigned last
  failing_since bigint null,
  due_at bigint not null default '0', -- no attempt before
  problem text null, -- why the last attempt failed
  primary key (log_key, witness)
);

create table witnessed_logs (
  origin varchar(255),
  size bigint not null,
  root varchar(44) not null, -- 32 bytes in base64
  note text null, -- with the signatures of the log that were verified; null: none yet
  cosigned_at bigint not null, -- seconds since 1970, which are part of the cosignature
  primary key (origin)
);

create table used_addresses (
  ballot_key integer not null references ballots (key) on delete cascade,
  digest varchar(43) not null,
  primary key (ballot_key, digest)
) without rowid;

create table vote_codes (
  id varchar(43) primary key,
  ballot_key integer not null references ballots (key) on delete cascade,
  address varchar(43) not null,
  code varchar(43),
  tries smallint not null default 0,
  confirmed boolean not null default false,
  expires_at bigint not null
) without rowid;
create index vote_codes_expiry on vote_codes (expires_at);

create table known_devices (
  digest varchar(43),
  user_id varchar(40) not null,
  name varchar(40) null, -- browser and system
  known_from bigint not null,
  expires_at bigint not null,
  code varchar(43) null, -- digest of the mailed code
  code_tries integer not null default '0',
  code_expires_at bigint null,
  foreign key(user_id) references users(id) on delete cascade,
  primary key (digest)
);
create index devices_of_member on known_devices (user_id);
create index known_devices_expiry on known_devices (expires_at);

create table ballot_papers (
  ballot_key integer,
  paper text not null, -- JSON
  checked_at bigint not null, -- when the texts that it has were changed last
  foreign key(ballot_key) references ballots(key) on delete cascade,
  primary key (ballot_key)
);

create table events (
  id integer not null primary key autoincrement,
  at bigint not null,
  type varchar(40) not null,
  subject_kind varchar(16) not null,
  subject varchar(130) not null,
  actor varchar(80) null, -- an operator’s name at the time; null: a member, or time
  actor_id varchar(40) null, -- the operator at the time; null: shared password, terminal, or API token
  member_id varchar(40) null, -- whose deed it is: gone with the account
  before text null, -- JSON
  after text null, -- JSON
  foreign key(member_id) references users(id) on delete cascade
);
create index events_of_operators on events (id) where actor is not null;
create index events_of_subject on events (subject_kind, subject) where actor is not null;
create unique index events_once_of_member on events (member_id, type, subject) where member_id is not null;
create index events_of_member on events (member_id, type, (at / 86400000), id) where member_id is not null;
create index events_of_publishes on events (id) where (type = 'site.published' or type = 'site.unchanged' or type = 'site.failed');

create table jobs (
  id integer not null primary key autoincrement,
  kind varchar(24) not null,
  key varchar(130) null, -- of the jobs of a kind with one key there is one
  lane varchar(40) not null default '', -- a process does the jobs of a lane one after the other
  user_id varchar(40) null,
  payload text not null default '{}', -- JSON
  due_at bigint not null, -- of the next attempt, or when the lease ends
  first_due_at bigint not null,
  attempts integer not null default '0',
  lease varchar(120) null, -- the process that does it now
  foreign key(user_id) references users(id) on delete cascade
);
create index jobs_due on jobs (kind, due_at, id);
create unique index jobs_once on jobs (kind, key);
create index jobs_member on jobs (user_id);
create index jobs_leased on jobs (lease) where lease is not null;

create trigger ballots_new_key after insert on ballots when new.key is null begin
  update ballots set key = 1 + max(
  coalesce((select max(key) from ballots), 0), coalesce((select max(ballot_key) from ballot_deletions), 0)
  ) where id = new.id;
end;

create trigger ballot_options_new_key after insert on ballot_options when new.key is null begin
  update ballot_options set key = 1 + coalesce((select max(key) from ballot_options), 0)
  where ballot_id = new.ballot_id and option_id = new.option_id;
end;

create trigger integrity_actions_no_update before update on integrity_actions
  begin select raise(abort, 'integrity_actions is append-only'); end;

create trigger integrity_actions_no_delete before delete on integrity_actions
  begin select raise(abort, 'integrity_actions is append-only'); end;

create trigger poll_topics_follow after update of closed_at on ballots when new.closed_at is not old.closed_at
  begin update poll_topics set closed_at = new.closed_at where poll_id = new.id; end;

create trigger community_polls_new after insert on community_polls when new.trend = 0 begin
  update community_polls set trend = new.created_at * 10 / 864,
  (ballot_ends_at, ballot_closed_at, ranked_votes) = (select ends_at, closed_at, total_votes from ballots where id = new.id)
  where id = new.id;
end;

create trigger community_polls_follow after update of ends_at, closed_at on ballots
  when new.kind = 'community' and (new.ends_at is not old.ends_at or new.closed_at is not old.closed_at) begin
  update community_polls set ballot_ends_at = new.ends_at, ballot_closed_at = new.closed_at where id = new.id;
end;

create trigger operators_last_owner_delete before delete on operators
  when old.role = 'owner'  and not exists (select 1 from operators where role = 'owner' and user_id <> old.user_id)
  begin select raise(abort, 'the last owner must stay'); end;

create trigger operators_last_owner_update before update of role on operators
  when old.role = 'owner' and new.role <> 'owner' and not exists (select 1 from operators where role = 'owner' and user_id <> old.user_id)
  begin select raise(abort, 'the last owner must stay'); end;

create trigger polls_keep_deleted_ids before insert on polls when exists (select 1 from deleted_polls where id = new.id) begin
  select raise(abort, 'the id of a deleted poll');
end;

create trigger search_documents_inserted after insert on search_documents begin insert into search_index (rowid, kind, title, details, body, folded) values (new.key, new.kind, new.title, new.details, new.body, new.folded);
  insert into search_titles (rowid, title) values (new.key, new.title); end;

create trigger search_documents_updated after update of kind, title, details, body, folded on search_documents begin
  insert into search_index (search_index, rowid, kind, title, details, body, folded) values ('delete', old.key, old.kind, old.title, old.details, old.body, old.folded);
  insert into search_titles (search_titles, rowid, title) values ('delete', old.key, old.title); insert into search_index (rowid, kind, title, details, body, folded) values (new.key, new.kind, new.title, new.details, new.body, new.folded);
  insert into search_titles (rowid, title) values (new.key, new.title); end;

create trigger search_documents_deleted after delete on search_documents begin insert into search_index (search_index, rowid, kind, title, details, body, folded) values ('delete', old.key, old.kind, old.title, old.details, old.body, old.folded);
  insert into search_titles (search_titles, rowid, title) values ('delete', old.key, old.title); end;

create trigger events_no_update before update on events when old.actor is not null
  begin select raise(abort, 'what operators did is append-only'); end;

create trigger events_no_delete before delete on events when old.actor is not null
  begin select raise(abort, 'what operators did is append-only'); end;

insert into installation (name, value) values ('integrity.since', '0'), ('integrity.watermark', '0'), ('detector.votes', '0');
insert into statistics (shard) values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15);
