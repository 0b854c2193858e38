/** What each metric means; the names are those of Prometheus, with "weathervane_" in front. */
export const metricTexts = {
  votes_accepted_total: 'Votes that were recorded, by the kind of poll',
  votes_refused_total: 'Votes that were not recorded, by the kind of poll and the code of the answer',
  vote_seconds: 'Seconds from the arrival of a vote that was recorded to its answer',
  answers_total: 'Answers to all calls but votes, by the name of the call and the status',
  vote_batch_size: 'Votes in a commit',
  vote_batch_seconds: 'Seconds that a commit of votes took',
  vote_batches_retried_total: 'Commits of votes that met another writer or a broken connection and were tried again',
  votes_waiting: 'Votes that wait for the next commit now',
  database_connections: 'Connections of the pool: used, free, and calls that wait for one',
  builds: 'Builds of the site that have ended, by outcome, of all processes on this database',
  build_seconds: 'Seconds that builds took, all together, by outcome',
  builds_open: 'Builds that wait (queued) and run (running) now',
  build_last_seconds: 'Seconds that the newest ended build took',
  release_age_seconds: 'Seconds since the release that is served was published',
  draining: '1 while the process finishes what it has begun and takes nothing new',
} as const;
