import { fromBase64, utf8 } from '#domain/verification/bytes.ts';
import type { Paper } from '#domain/verification/paper.ts';
import { recount } from '#domain/verification/recount.ts';
import { verifyEd25519 } from '#site/verification/ed25519.ts';

/** What recount.bench.ts runs in the browser. */

interface Published {
  readonly file: string;
  readonly checkpoints: readonly string[];
  readonly siteNote: string;
  readonly siteEntries: readonly string[];
  readonly publicKey: string;
}

async function timeRecount(poll: Published, paper: Paper): Promise<{ verdict: string; ms: number }> {
  const file = utf8(poll.file);
  const begun = performance.now();
  const { verdict } = await recount(
    { file, paper, checkpoints: poll.checkpoints, site: { note: poll.siteNote, entries: poll.siteEntries } },
    { poll: paper.poll, siteOrigin: `${paper.origin.split('/poll/')[0]}/log`, keys: [fromBase64(poll.publicKey)!] },
    verifyEd25519,
  );
  return { verdict, ms: performance.now() - begun };
}

declare global {
  var timeRecount: (poll: Published, paper: Paper) => Promise<{ verdict: string; ms: number }>;
}
globalThis.timeRecount = timeRecount;
