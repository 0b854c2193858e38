import { readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { migrate, openDatabase } from '#platform/database.ts';
import { makePolls } from './make-polls.ts';
import { startServer } from './server-process.ts';
import { runLoad } from './load.ts';
const [rounds = '3', votes = '15000'] = process.argv.slice(2);
const folder = '/tmp/vb/ab'; await rm(folder, { recursive: true, force: true }); (await import('node:fs')).mkdirSync(folder, { recursive: true });
const bare = await startServer('./ceiling.server.ts', {});
const cands: { name: string; origin: string; pid: number; polls: string[] }[] = [{ name: 'ceiling', origin: bare.origin, pid: bare.pid, polls: ['open-poll-1'] }];
const stops = [bare];
for (const n of [1, 100]) {
  const url = `sqlite:${folder}/${n}.db`; const db = openDatabase(url); await migrate(db); const polls = await makePolls(db, n, 'open'); await db.destroy();
  const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder }); stops.push(api);
  cands.push({ name: 'api' + n, origin: api.origin, pid: api.pid, polls: [...polls] });
  if (process.env.SITE) { const site = await startServer('./site.server.ts', { API_ORIGIN: api.origin, DATA_DIR: folder }); stops.push(site); cands.push({ name: 'site' + n, origin: site.origin, pid: site.pid, polls: [...polls] }); }
}
const cpu = (pid: number) => { const m: Record<string, number> = {}; for (const t of readdirSync(`/proc/${pid}/task`)) { try { const c = readFileSync(`/proc/${pid}/task/${t}/comm`, 'utf8').trim(); m[c] = (m[c] ?? 0) + Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]) / 1000; } catch {} } return m; };
const speeds: Record<string, number[]> = {}; const costs: Record<string, string> = {};
for (let r = 0; r <= Number(rounds); r++) for (const c of cands) {
  const a = cpu(c.pid);
  const res = await runLoad({ origin: c.origin, connections: 64, amount: Number(votes), what: { kind: 'votes', on: 'polls', polls: c.polls, options: ['option-1', 'option-2', 'option-3'] } });
  const b = cpu(c.pid);
  if (r === 0) continue;
  (speeds[c.name] ??= []).push(res.perSecond);
  costs[c.name] = Object.entries(b).map(([k, v]) => [k, (v - (a[k] ?? 0)) / Number(votes)] as const).filter(([, v]) => v > 0.3).map(([k, v]) => `${k} ${v.toFixed(1)}`).join(', ') + `  gen ${(res.cpu / Number(votes)).toFixed(1)} p99 ${res.p99.toFixed(1)} refused ${res.refused}`;
}
const med = (l: number[]) => l.toSorted((a, b) => a - b)[Math.floor(l.length / 2)]!;
for (const c of cands) console.log(c.name, med(speeds[c.name]!).toFixed(0), (med(speeds[c.name]!) / med(speeds.ceiling!)).toFixed(2), costs[c.name]);
for (const s of stops) await s.stop();
