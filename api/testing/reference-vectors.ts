import { createHash } from 'node:crypto';
import vectors from '#domain/verification/fixtures/vectors.json' with { type: 'json' };
import {
  referenceCode,
  referenceEntry,
  referencePaper,
  referencePoll,
  referencePromises,
  referenceReceipt,
  referenceRounds,
} from './reference-verifier.ts';
import type { ReferencePoll } from './reference-verifier.ts';

const { poll } = vectors;
const seed = Buffer.from(vectors.keys.seed, 'hex');
const paper = { ...poll.paper, choice: 'one' };
/** The same poll with a third option, whose ballots choose two or three of them. */
const severalPaper = {
  ...{ ...paper, choice: 'several 2 3' },
  options: [...paper.options, { id: 'cocoa', label: 'Cocoa ☕' }],
};
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest();

/** The votes of the vectors of format 1, whose receipts are the server’s parts of these. */
const votes = poll.ballots.map(({ receipt: part, option, batch, status }, place) => {
  const nonce = sha256(`test nonce ${place}`).subarray(0, 16);
  const receipt = referenceReceipt(Buffer.from(part, 'hex'), nonce);
  return { part: Buffer.from(part, 'hex'), nonce, receipt, options: [option], batch, status };
});

/** The same voters, with a list of options each. */
const severalVotes = votes.map((vote, place) => ({
  ...vote,
  options: [
    [0, 1],
    [1, 2],
    [0, 2],
    [0, 1, 2],
  ][place % 4]!,
}));

/** The same poll, whose ballots rank one to three options. */
const rankedPaper = { ...severalPaper, choice: 'ranked 1 3' };
const rankedVotes = votes.map((vote, place) => ({
  ...vote,
  options: [[0], [2, 1, 0], [1, 0], [0, 2], [2], [1, 2, 0], [1]][place % 7]!,
}));

/** The entries of format 1 with what differs left to the reference. */
const entries = poll.siteEntries.map((text) => {
  const lines = text.split('\n');
  if (text.startsWith('weathervane/checkpoint/')) return `checkpoint ${lines[2] === '12' ? 1 : 2}\n${lines[4]}\n`;
  if (text.startsWith('weathervane/result/')) return `result\n${lines.at(-2)}\n`;
  return text.startsWith('weathervane/open/')
    ? [...lines.slice(0, 2), 'TAG', 'OPTIONS', ...lines.slice(4)].join('\n')
    : text;
});

function published(some: typeof votes, of = paper): ReferencePoll {
  const header = {
    before: [
      ...of.options.map(({ id }, place) => `option ${place} ${id}`),
      ...of.options.map((_, place) => `base ${place} ${place === 0 ? 4570 : 0}`),
    ],
    after: ['decision 1 set-aside 2 automated voting from one network', 'decision 2 hold 1 waiting for the operator'],
  };
  const named = entries.map((entry) => entry.replace('OPTIONS', String(of.options.length)));
  return referencePoll(of, some, { ...{ seed, header, entries: named }, siteOrigin: poll.siteOrigin });
}

/** What `fixtures/vectors-2.json` has, written by the reference. */
export function vectorsOfFormat2() {
  const whole = published(votes);
  const promises = referencePromises(
    paper,
    votes.slice(0, 5).map((vote) => ({ ...vote, result: 1 })),
    seed,
  );
  return {
    about: 'Test vectors of format 2, beside those of format 1 in vectors.json, whose keys and votes these are.',
    receipts: votes.map(({ part, nonce, receipt }) => ({
      ...{ part: part.toString('hex'), nonce: nonce.toString('hex'), receipt: receipt.toString('hex') },
      code: referenceCode(receipt),
    })),
    paperBytes: referencePaper(paper).toString('hex'),
    tag: sha256(referencePaper(paper)).toString('hex'),
    ballots: votes.map(({ options: [option], batch, status }) => ({ option, batch, status })),
    poll: whole,
    fileSha256: sha256(Buffer.from(whole.file)).toString('base64'),
    promises: promises.map((promise, place) => ({
      ...{
        code: referenceCode(votes[place]!.receipt),
        optionId: paper.options[votes[place]!.options[0]!]!.id,
        promise,
      },
    })),
    /** The same poll without its first vote, properly signed. */
    withoutFirst: published(votes.slice(1)),
    several: withLists(severalPaper, severalVotes),
    ranked: { ...withLists(rankedPaper, rankedVotes), rounds: referenceRounds(published(rankedVotes, rankedPaper)) },
  };
}

/** A poll with the same voters, who choose lists: its paper, the entry of each ballot, what it publishes, and promises. */
function withLists(of: typeof severalPaper, some: typeof votes) {
  return {
    paperBytes: referencePaper(of).toString('hex'),
    entries: some.map(({ receipt, options }) =>
      referenceEntry(receipt, sha256(referencePaper(of)), options).toString('hex'),
    ),
    poll: published(some, of),
    promises: referencePromises(
      of,
      some.slice(0, 5).map((vote) => ({ ...vote, result: 1 })),
      seed,
    ).map((promise, place) => {
      const { receipt, options } = some[place]!;
      const [optionId, ...further] = options.map((option) => of.options[option]!.id);
      return { code: referenceCode(receipt), optionId, further, promise };
    }),
  };
}
