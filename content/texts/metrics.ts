/** Help texts of the Prometheus metrics; each name gets the prefix “weathervane_”. */
export const metricTexts = {
  votes_accepted_total: 'Recorded votes, by poll type',
  votes_refused_total: 'Refused votes, by poll type and error code',
  vote_seconds: 'Seconds from the arrival of a recorded vote to its response',
  answers_total: 'Responses to all calls except votes, by call name and status',
  vote_batch_size: 'Votes per commit',
  vote_batch_seconds: 'Duration of a commit of votes in seconds',
  vote_batches_retried_total: 'Commits of votes that were retried because of another writer or a broken connection',
  votes_waiting: 'Votes currently waiting for the next commit',
  database_connections: 'Connection pool: used, free, and calls waiting for a connection',
  builds: 'Finished builds of the site, by outcome, across all processes on this database',
  build_seconds: 'Total duration of builds in seconds, by outcome',
  builds_open: 'Builds currently queued and running',
  build_last_seconds: 'Duration of the most recently finished build in seconds',
  release_age_seconds: 'Seconds since the current release was published',
  draining: '1 while the process is draining: finishing requests and accepting no new ones',
} as const;
