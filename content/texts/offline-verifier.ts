/** What the downloadable verifier prints. */
export const offlineVerifierTexts = {
  help: `Verifies a closed poll: counts every published vote, and checks the list against the signed
checkpoints of the log and the totals that the poll’s page shows. Needs Node.js 20 or later and nothing else.

  node verify.mjs FILE...          files saved on the page “Recount This Poll”; no network
  node verify.mjs ADDRESS...       addresses of polls: downloads what they have published

Options
  --key VKEY       trust this key only (a verifier key, from a source outside the site); may be repeated
  --witness VKEY   require a cosignature by this witness (its verifier key, from a source outside the site);
                   may be repeated
  --seen FILE      with addresses: compare the site-wide log with the checkpoint in FILE, and keep the
                   newest there after a success
  --whole-log      with addresses: download and check the whole site-wide log, not only this poll’s
                   entries with their proofs
  --receipt CODE   look up a receipt; it is never sent
  --receipts FILE  look up the receipts of these polls in a file saved on “My Votes”, or after a vote without
                   JavaScript, and check what the site has promised about them; a missing vote is proven by
                   its promise
  --help           show this text

Exit codes: 0 verified; 1 not verified; 2 wrong arguments, or a file can’t be read or downloaded;
3 nothing to verify: the poll is open, has no log, or publishes no list.`,
  unknownOption: (option: string) => `Unknown option or missing value: ${option}. See --help.`,
  nothingGiven: 'Give a file or an address. See --help.',
  badKey: (key: string) => `Not a verifier key: ${key}`,
  badWitness: (key: string) => `Not a witness’s verifier key: ${key}`,
  badReceipt: (code: string) => `Not a receipt, or mistyped: ${code}`,
  badReceipts: (file: string) => `Not a file with receipts: ${file}`,
  badAddress: (address: string) => `Not the address of a poll: ${address}`,
  badFile: (file: string) => `Not a saved poll: ${file}`,
  failed: (what: string, reason: string) => `${what}: ${reason}`,
  ownKey: 'The key comes from the same source as the votes: without --key, a swapped key would look right. Compare it:',
  wholeLogMismatch: 'The site’s log has another checkpoint than this poll’s evidence. Try again in a moment.',
  columns: ['Option', 'Counted', 'Set aside', 'On hold', 'Not verifiable', 'Total'],
  others: { votes: 'Recorded', counters: 'Counters', api: 'API says', page: 'Page shows' },
  noPage: 'The poll’s page shows no totals, so there were none to compare.',
  question: (question: string) => `Poll: ${question}`,
  passed: 'VERIFIED',
  refused: (code: string, detail: string | null) => `NOT VERIFIED: ${code}${detail === null ? '' : ` (${detail})`}`,
  receipt: (code: string, text: string) => `${code}: ${text}`,
  promises: {
    kept: 'The promise about this vote is kept: it is in the list.',
    broken: 'PROMISE BROKEN: the site has signed that this vote would be in the list, and it isn’t.',
    later: 'This vote was promised for a later version of the list than this one.',
    'bad-format': 'The promise about this vote is damaged, or about another vote, and shows nothing.',
    'other-receipt': 'The receipt isn’t made of the numbers in its promise, which shows nothing.',
    'unknown-key': 'The promise about this vote is signed by a key that isn’t trusted here, and shows nothing.',
    'bad-signature': 'The signature of the promise about this vote is wrong, and it shows nothing.',
  },
} as const;
