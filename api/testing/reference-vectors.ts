import { createHash } from 'node:crypto';
import vectors from '#domain/verification/fixtures/vectors.json' with { type: 'json' };
import {
  referenceCode,
  referencePaper,
  referencePoll,
  referencePromises,
  referenceReceipt,
} from './reference-verifier.ts';
import type { ReferencePoll } from './reference-verifier.ts';

const { poll } = vectors;
const seed = Buffer.from(vectors.keys.seed, 'hex');
const paper = { ...poll.paper, choice: 'one' };
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest();

/** The votes of the vectors of format 1, whose receipts are the server’s parts of these. */
const votes = poll.ballots.map(({ receipt: part, option, batch, status }, place) => {
  const nonce = sha256(`test nonce ${place}`).subarray(0, 16);
  const receipt = referenceReceipt(Buffer.from(part, 'hex'), nonce);
  return { part: Buffer.from(part, 'hex'), nonce, receipt, option, batch, status };
});

/** The entries of format 1 with what differs left to the reference. */
const entries = poll.siteEntries.map((text) => {
  const lines = text.split('\n');
  if (text.startsWith('weathervane/checkpoint/')) return `checkpoint ${lines[2] === '12' ? 1 : 2}\n${lines[4]}\n`;
  if (text.startsWith('weathervane/result/')) return `result\n${lines.at(-2)}\n`;
  return text.startsWith('weathervane/open/') ? [...lines.slice(0, 2), 'TAG', ...lines.slice(3)].join('\n') : text;
});

function published(some: typeof votes): ReferencePoll {
  const header = {
    before: ['option 0 tea', 'option 1 coffee', 'base 0 4570', 'base 1 0'],
    after: ['decision 1 set-aside 2 automated voting from one network', 'decision 2 hold 1 waiting for the operator'],
  };
  return referencePoll(paper, some, { ...{ seed, header, entries }, siteOrigin: poll.siteOrigin });
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
    ballots: votes.map(({ option, batch, status }) => ({ option, batch, status })),
    poll: whole,
    fileSha256: sha256(Buffer.from(whole.file)).toString('base64'),
    promises: promises.map((promise, place) => ({
      ...{ code: referenceCode(votes[place]!.receipt), optionId: paper.options[votes[place]!.option]!.id, promise },
    })),
    /** The same poll without its first vote, properly signed. */
    withoutFirst: published(votes.slice(1)),
  };
}
