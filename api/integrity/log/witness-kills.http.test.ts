import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { toBase64 } from '#domain/verification/bytes.ts';
import { AppendTree, consistencyProof, leafHash, rootOfLeaves } from '#domain/verification/merkle.ts';
import { verifierKey } from '#domain/verification/note.ts';
import { addCheckpointBody } from '#domain/verification/witness.ts';
import { fixedClock } from '#platform/clock.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { testNow, testWitnessSeed } from '#api/testing/test-app.ts';
import { logWriter, otherLogSeed } from '#api/testing/vote-logs.ts';
import { slow } from '#api/testing/slow.ts';
import { logKeyOf, sha256, signedCheckpoint } from './signing.ts';
import { tick } from './tick.service.ts';
import type { WitnessAnswer } from './witness.service.ts';

const program = fileURLToPath(new URL('../../testing/witness-process.ts', import.meta.url));
const origin = 'log.example';
const logKey = logKeyOf(otherLogSeed);
const [rounds, growth] = [12, 3];

/** Two histories of one log that begin alike, with the log’s requests for both. */
const leavesOf = (history: string, size: number) =>
  Array.from({ length: size }, (_, at) => leafHash(Buffer.from(at < growth ? `${at}` : `${history} ${at}`), sha256));

async function requestFor(history: string, from: number, size: number): Promise<string> {
  const leaves = leavesOf(history, size);
  const levels: Uint8Array[][] = [];
  const tree = new AppendTree({ onNode: (level, node) => (levels[level] ??= []).push(node) });
  for (const leaf of leaves) tree.append(leaf);
  const proof = from === 0 ? [] : await consistencyProof((level, index) => levels[level]![index]!, from, size);
  return addCheckpointBody({
    ...{ oldSize: from, proof },
    note: signedCheckpoint(origin, { size, root: tree.root() }, [logKey]),
  });
}

oneDatabase((open) => {
  const witnesses = new Set<ChildProcess>();
  afterEach(async () => {
    await Promise.all([...witnesses].map(kill));
  });
  async function kill(witness: ChildProcess): Promise<void> {
    if (witnesses.delete(witness) && witness.exitCode === null) {
      const ended = once(witness, 'exit');
      witness.kill('SIGKILL');
      await ended;
    }
  }

  test(
    'two processes of one witness that are killed at any moment never cosign two histories of a log',
    { ...slow, timeout: 120_000 },
    async () => {
      const { db, url } = await open();
      await tick(logWriter(db, fixedClock(testNow)));
      const key = verifierKey(origin, logKey.publicKey);
      const start = async () => {
        const witness = fork(program, [url, testWitnessSeed, key, origin], { execArgv: [], stdio: 'ignore' });
        witnesses.add(witness);
        await once(witness, 'message');
        return witness;
      };
      const answerOf = async (witness: ChildProcess, body: string): Promise<WitnessAnswer | null> => {
        const ended = new AbortController();
        witness.once('exit', () => ended.abort());
        witness.send(body, () => undefined);
        const [answer] = (await once(witness, 'message', ended).catch(() => [null])) as [WitnessAnswer | null];
        return answer;
      };
      const cosigned = new Map<number, Set<string>>();
      for (let round = 1; round <= rounds; round++) {
        const row = await db('witnessed_logs').first<{ size: number } | undefined>('size');
        const [from, size] = [row?.size ?? 0, (row?.size ?? 0) + growth];
        // The log tells each process another history at once, and one of them dies.
        const processes = await Promise.all([start(), start()]);
        const histories = ['left', 'right'];
        const bodies = await Promise.all(histories.map((history) => requestFor(history, from, size)));
        const answers = processes.map((witness, place) => answerOf(witness, bodies[place]!));
        setTimeout(() => void kill(processes[round % 2]!), round % 5);
        for (const [place, answer] of (await Promise.all(answers)).entries()) {
          if (answer?.status !== 200) continue;
          const root = toBase64(rootOfLeaves(leavesOf(histories[place]!, size), sha256));
          cosigned.set(size, (cosigned.get(size) ?? new Set()).add(root));
        }
        const stored = await db('witnessed_logs').first<{ size: number; root: string } | undefined>('size', 'root');
        // What was cosigned is stored, whoever was killed.
        for (const root of cosigned.get(size) ?? []) expect(stored).toEqual({ size, root });
        await Promise.all([...witnesses].map(kill));
      }
      expect(cosigned.size).toBeGreaterThan(0);
      for (const roots of cosigned.values()) expect(roots.size).toBe(1);
    },
  );
});
