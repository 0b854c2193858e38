const would = (dryRun: boolean, done: string, planned: string) => (dryRun ? planned : done);

/** Output of `npm run operate -- content`. */
export const contentCommandTexts = {
  usage: `Moves articles, About, and the legal pages between the database and the files in content/.

  npm run operate -- content pull              write the published texts to files
  npm run operate -- content push              load files that were changed
  npm run operate -- content pull --dry-run    show what would be done
  npm run operate -- content --help            show this help

  --force          overwrite: with pull, files with changes that are not in the database; with push, texts that were edited
                   in the browser and whose files were changed, too
  --folder FOLDER  a folder like content/, with the folders blog, pages, legal, and images; push publishes what is there,
                   and leaves what isn’t as it is
  --dry-run        change nothing

Drafts stay in the database: every article in content/blog is published. The exit code is 0 on success, 1 if something
would be overwritten or a file is invalid, and 2 if the command line is invalid. A running service loads changed files by
itself; where a text was edited in the browser, the page “Content” offers the newer file.`,
  noVerb: 'Missing command: use pull or push (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb} (see --help).`,
  conflicts: {
    pull: 'These files have changes that are not in the database. Push them, or overwrite them with --force:',
    push: 'These texts were edited in the browser, and their files were changed, too. Decide on the page “Content”, pull them, or overwrite them with --force:',
  },
  line: (file: string) => `  ${file}`,
  nothing: 'Nothing was changed.',
  written: {
    pull: (file: string, dryRun: boolean) => `${would(dryRun, 'written', 'would be written')}: ${file}`,
    push: (file: string, dryRun: boolean) => `${would(dryRun, 'loaded', 'would be loaded')}: ${file}`,
  },
  deleted: {
    pull: (file: string, dryRun: boolean) =>
      `${would(dryRun, 'deleted', 'would be deleted')}: ${file} (the article is not published any more)`,
    push: (file: string, dryRun: boolean) =>
      `${would(dryRun, 'unpublished', 'would be unpublished')}: ${file} (the file is gone)`,
  },
  drafts: 'These were never published and stay in the database:',
  same: 'Files and database already agree.',
} as const;
