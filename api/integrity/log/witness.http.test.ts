import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { PollSiteEntries } from './integrity-log.contract.ts';
import vectors from '#domain/verification/fixtures/witness-vectors.json' with { type: 'json' };
import { fromBase64, fromHex } from '#domain/verification/bytes.ts';
import { parseCheckpoint, parseVerifierKey, textOf, verifierKey } from '#domain/verification/note.ts';
import { recount } from '#domain/verification/recount.ts';
import { addCheckpointBody, cosignatureBy, parseWitnessKey, witnessKey } from '#domain/verification/witness.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Witness } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { restoredMark } from '#platform/restored-mark.ts';
import { silentLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { castVotes, closeBallot, logWriter, publishedEvidence } from '#api/testing/vote-logs.ts';
import { logAlerts } from './alerts.service.ts';
import { cosign } from './cosign.service.ts';
import { logKeyOf, verifySignature } from './signing.ts';
import { tick } from './tick.service.ts';

const { session } = vectors;
const sessionKey = verifierKey(session.origin, fromHex(session.publicKey)!);
const [hour, day] = [3_600_000, 86_400_000];

/** A request of the session of another implementation. */
const bodyOf = ({ old, proof, note }: { old: number; proof: readonly string[]; note: string }) =>
  addCheckpointBody({
    ...{ oldSize: old, proof: proof.map((hash) => fromBase64(hash)!) },
    note: `${session.origin}\n${session.notes[note as keyof typeof session.notes].replace('ORIGIN', session.origin)}`,
  });
const request = (place: number) => bodyOf(session.requests[place]!);

eachDatabase((open, _engine, once) => {
  /** A site with a vote log, which cosigns these logs. */
  const startSite = async (
    host: string,
    witnessLogs: { origin: string; key: string }[] = [],
    witnesses: Witness[] = [],
  ) => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, [{ id: 'tea' }]);
    const writer = logWriter(db, clock, { publicUrl: `https://${host}` });
    await tick(writer);
    const app = await startTestApp(db, { clock, config: { witnessLogs, witnesses } });
    return { db, clock, writer, app };
  };
  const startWitness = () => startSite('witness.example', [{ origin: session.origin, key: sessionKey }]);
  const send = (app: TestApp, body: string) => app.fetch('/integrity/witness/add-checkpoint', { method: 'POST', body });
  const keyOf = async (app: TestApp) => (await (await app.fetch('/integrity/witness/key')).text()).trimEnd();
  const asking = (db: Database, clock: ReturnType<typeof fixedClock>, witnesses: readonly Witness[]) => () =>
    cosign({ ...{ db, clock, witnesses }, log: silentLogger, allowPrivate: true, answerMs: 300 });
  /** A site with three witnesses’ places, and a witness that cosigns its log. */
  const startPair = async () => {
    const site = await startSite('polls.example');
    const logKey = (await (await site.app.fetch('/integrity/key')).text()).trimEnd();
    const { name: origin } = parseVerifierKey(logKey)!;
    const witness = await startSite('witness.example', [{ origin, key: logKey }]);
    const asked = { key: await keyOf(witness.app), url: `${witness.app.origin}/integrity/witness` };
    return { ...site, witness, asked };
  };
  const closePoll = async ({ db, clock, writer }: Awaited<ReturnType<typeof startSite>>) => {
    await castVotes(db, 'tea', 'o1', 12);
    clock.set(clock.now() + hour);
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
  };

  test('a witness answers the requests of a log as the specification says, and cosigns each accepted checkpoint', async () => {
    const { app } = await startWitness();
    const witness = parseWitnessKey(await keyOf(app))!;
    expect(witness.name).toBe('witness.example/integrity/witness');
    for (const { status, size, ...rest } of session.requests as {
      old: number;
      proof: string[];
      note: string;
      status: number;
      size?: number;
    }[]) {
      const body = bodyOf(rest);
      const answer = await send(app, body);
      const text = await answer.text();
      expect([rest, answer.status]).toEqual([rest, status]);
      if (status === 409) expect([answer.headers.get('content-type'), text]).toEqual(['text/x.tlog.size', `${size}\n`]);
      if (status !== 200) continue;
      const note = body.slice(body.indexOf('\n\n') + 2);
      const cosignature = await cosignatureBy(witness, `${textOf(note)}\n${text}`, verifySignature);
      expect(cosignature).toMatchObject({ seconds: testNow / 1_000, line: text });
    }
  });

  once('a witness refuses logs that it is not configured for, and malformed requests', async () => {
    const { app, db } = await startWitness();
    expect((await send(app, request(0).replaceAll('e562', 'e563'))).status).toBe(404);
    for (const body of ['', 'old 1', request(0).replace('old 0', 'old -1'), 'x'.repeat(9_000)])
      expect((await send(app, body)).status).toBe(400);
    expect((await send(app, 'x'.repeat(20_000))).status).toBe(413);
    expect(await db('witnessed_logs').first()).toBeUndefined();
    const { app: other } = await startSite('other.example');
    expect((await send(other, request(0))).status).toBe(404);
    expect((await other.fetch('/integrity/witness/key')).status).toBe(404);
  });

  test('of two histories that arrive at once, one is cosigned, and the other gets the size of it', async () => {
    const { app, db } = await startWitness();
    await send(app, request(0));
    const larger = request(7).replace('old 3', 'old 3');
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(app, request(5))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await send(app, larger)).status).toBe(200);
    expect(await db('witnessed_logs').select('size')).toEqual([{ size: 5 }]);
  });

  once('a checkpoint that is sent again gets its cosignature again, and a new one only after a minute', async () => {
    const { app, db, clock } = await startWitness();
    const first = await (await send(app, request(0))).text();
    const again = request(0).replace('old 0', 'old 1');
    clock.set(testNow + 59_000);
    expect(await (await send(app, again)).text()).toBe(first);
    clock.set(testNow + 61_000);
    expect(await (await send(app, again)).text()).not.toBe(first);
    // A clock that is set back makes no earlier statement.
    clock.set(testNow - day);
    await send(app, again);
    expect(await db('witnessed_logs').first('cosigned_at')).toEqual({ cosigned_at: testNow / 1_000 + 61 });
  });

  once('the newest cosigned checkpoint of a log is served with both signatures', async () => {
    const { app } = await startWitness();
    const { createHash } = await import('node:crypto');
    const path = `/integrity/witness/${createHash('sha256').update(session.origin).digest('hex')}/checkpoint`;
    expect((await app.fetch(path)).status).toBe(404);
    const line = await (await send(app, request(0))).text();
    const note = request(0).slice('old 0\n\n'.length);
    expect(await (await app.fetch(path)).text()).toBe(note + line);
  });

  once('after a restore a witness has another name, since it may have forgotten what it cosigned', async () => {
    const { app, db } = await startWitness();
    const before = await keyOf(app);
    await restoredMark.set(db);
    const after = parseWitnessKey(await keyOf(app))!;
    expect(after.name).toMatch(/^witness\.example\/integrity\/witness\/[0-9a-f]{8}$/);
    expect(await keyOf(app)).not.toBe(before);
  });

  test('two sites cosign: the checkpoint has the witness’s line, and the recount says how many have cosigned', async () => {
    const pair = await startPair();
    const { db, clock, writer, asked, witness } = pair;
    const silent = {
      key: witnessKey('silent.example/w', logKeyOf('55'.repeat(32)).publicKey),
      url: 'http://127.0.0.1:9',
    };
    const witnesses = [asked, silent];
    const app = await startTestApp(db, { clock, config: { witnesses } });
    const ask = asking(db, clock, witnesses);
    await ask();
    await closePoll(pair);
    witness.clock.set(clock.now());
    const before = await publishedEvidence(app, 'tea');
    // What was cosigned has not the whole poll yet.
    expect(await recount(before.evidence, before.expected, verifySignature)).toMatchObject({
      ...{ verdict: 'ok', cosigned: { by: [], of: 2 } },
    });
    await ask();
    const { evidence, expected } = await publishedEvidence(app, 'tea');
    const name = 'witness.example/integrity/witness';
    expect(await recount(evidence, expected, verifySignature)).toMatchObject({
      ...{ verdict: 'ok', cosigned: { by: [name], of: 2 } },
    });
    const pinned = (...keys: string[]) => recount(evidence, { ...expected, witnesses: keys }, verifySignature);
    expect(await pinned(asked.key)).toMatchObject({ verdict: 'ok', cosigned: { by: [name], of: 1 } });
    expect(await pinned(asked.key, silent.key)).toMatchObject({ verdict: 'not-cosigned', detail: 'silent.example/w' });
    const checkpoint = await (await app.fetch('/integrity/log/checkpoint')).text();
    expect(await cosignatureBy(parseWitnessKey(asked.key)!, checkpoint, verifySignature)).toMatchObject({
      seconds: clock.now() / 1_000,
    });
    // A later checkpoint without cosignatures takes none from the poll.
    await seedPolls(db, [{ id: 'later' }]);
    await tick(writer);
    const later = await publishedEvidence(app, 'tea');
    expect(later.evidence.site!.note).not.toBe(evidence.site!.note);
    expect((await recount(later.evidence, later.expected, verifySignature)).cosigned?.by).toEqual([name]);
    const changed = later.evidence.site!.cosigned!.map((one) => ({ ...one, proof: one.proof.slice(1) }));
    const broken = { ...later.evidence, site: { ...later.evidence.site!, cosigned: changed } };
    expect((await recount(broken, later.expected, verifySignature)).cosigned?.by).toEqual([]);
  });

  once('a witness refuses a forked log, and the operator is told why', async () => {
    const { db, clock, writer, asked, witness } = await startPair();
    const ask = asking(db, clock, [asked]);
    await ask();
    const cosigned = await witness.db('witnessed_logs').first<{ size: number; root: string }>();
    // Another copy of the database, with the same key, goes on differently from the beginning.
    const { db: fork } = await open();
    const forkClock = fixedClock(testNow + 30 * day);
    await seedPolls(fork, [{ id: 'cake' }, { id: 'tea' }]);
    await tick(logWriter(fork, forkClock, { publicUrl: 'https://polls.example' }));
    await asking(fork, forkClock, [asked])();
    expect(await fork('vote_log_cosignatures').first('problem', 'note')).toEqual({
      ...{ problem: 'It has seen another history of this log.', note: null },
    });
    expect(await witness.db('witnessed_logs').first('size', 'root')).toEqual({
      ...{ size: cosigned.size, root: cosigned.root },
    });
    await seedPolls(db, [{ id: 'honest' }]);
    await tick(writer);
    await ask();
    expect(await db('vote_log_cosignatures').first('problem')).toEqual({ problem: null });
  });

  once('a witness that does not answer is asked less and less often, and alerts the operator after a day', async () => {
    const { db, clock, writer } = await startSite('polls.example');
    let requests = 0;
    const slow = createServer(() => (requests += 1));
    await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      slow.closeAllConnections();
      slow.close();
    });
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const key = witnessKey('slow.example/w', logKeyOf('66'.repeat(32)).publicKey);
    const ask = asking(db, clock, [{ key, url }]);
    await ask();
    await ask();
    expect(requests).toBe(1);
    expect((await logAlerts(db, clock.now())).witnesses).toEqual([]);
    const began = clock.now();
    for (let failures = 2; failures <= 4; failures++) {
      clock.set(clock.now() + 30_000 * 2 ** (failures - 2));
      await ask();
      expect(requests).toBe(failures);
      await ask();
      expect(requests).toBe(failures);
    }
    // The log itself goes on.
    await seedPolls(db, [{ id: 'later' }]);
    expect(await tick(writer)).toBe(true);
    expect((await logAlerts(db, began + day)).witnesses).toEqual([
      {
        name: 'slow.example/w',
        since: new Date(began).toISOString(),
        problem: 'It did not answer within 0.3 seconds.',
      },
    ]);
    // One that is no longer asked is no problem.
    await asking(db, clock, [])();
    expect((await logAlerts(db, began + day)).witnesses).toEqual([]);
  });

  once('an answer that is too long, or not signed by the witness’s key, is no cosignature', async () => {
    const { db, clock, asked, witness } = await startPair();
    const other = witnessKey('witness.example/integrity/witness', logKeyOf('77'.repeat(32)).publicKey);
    await asking(db, clock, [{ ...asked, key: other }])();
    expect(await db('vote_log_cosignatures').first('problem', 'note')).toEqual({
      ...{ problem: 'Its answer is not signed by the key in WITNESSES.', note: null },
    });
    const long = createServer((_, response) => response.end('x'.repeat(1_000_000)));
    await new Promise<void>((listening) => long.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void long.close());
    const url = `http://127.0.0.1:${(long.address() as AddressInfo).port}`;
    await asking(db, clock, [{ key: asked.key, url }])();
    expect(await db('vote_log_cosignatures').where({ witness: asked.key }).first('note')).toEqual({ note: null });
    // A private address takes a setting.
    clock.set(clock.now() + day);
    await cosign({ db, clock, witnesses: [{ key: asked.key, url }], log: silentLogger, allowPrivate: false });
    expect(await db('vote_log_cosignatures').where({ witness: asked.key }).first('problem')).toEqual({
      problem: 'It has a private address, which takes PRIVATE_WITNESSES=on.',
    });
    // A witness that lost the answer, or was asked from elsewhere, says what it knows.
    await asking(db, clock, [asked])();
    await db('vote_log_cosignatures').del();
    await asking(db, clock, [asked])();
    const row = await db('vote_log_cosignatures').where({ witness: asked.key }).first<{ size: number }>('size');
    expect(row).toEqual({
      size: parseCheckpoint((await witness.db('witnessed_logs').first<{ note: string }>('note')).note)!.size,
    });
  });

  once('the site names its witnesses with the entries of a poll', async () => {
    const { db, clock, asked } = await startPair();
    await asking(db, clock, [asked])();
    const app = await startTestApp(db, { clock, config: { witnesses: [asked] } });
    const entries = (await (await app.fetch('/api/polls/tea/integrity/site-entries')).json()) as PollSiteEntries;
    expect(entries.witnesses).toEqual([asked.key]);
    expect(entries.cosigned.map(({ note }) => textOf(note))).toEqual([textOf(entries.checkpoint)]);
  });
});
