import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm, mkdir, readdir, readFile } from 'node:fs/promises';
import { migrate, openDatabase } from '#platform/database.ts';
import { makePolls } from './make-polls.ts';
import { runLoad } from './load.ts';
import { apiNodeArgs } from '#api/commands/supervisor.ts';
const folder = '/tmp/vb/prof'; await rm(folder, { recursive: true, force: true }); await mkdir(folder, { recursive: true });
const url = `sqlite:${folder}/1.db`; const db = openDatabase(url); await migrate(db); const polls = await makePolls(db, 1, 'open'); await db.destroy();
const child = fork(new URL('./api.server.ts', import.meta.url), { env: { ...process.env, NODE_ENV: 'production', RATE_LIMIT: process.env.RL ?? 'off', DATABASE_URL: url, DATA_DIR: folder }, execArgv: [...apiNodeArgs, '--cpu-prof', '--cpu-prof-dir=' + folder, '--cpu-prof-interval=200'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const [port] = await once(child, 'message');
for (let r = 0; r < 3; r++) { const res = await runLoad({ origin: `http://127.0.0.1:${port}`, connections: 64, amount: 20000, what: { kind: 'votes', on: 'polls', polls: [...polls], options: ['option-1', 'option-2', 'option-3'] } }); console.log(res.perSecond.toFixed(0)); }
child.kill('SIGTERM'); await once(child, 'exit');
for (const f of (await readdir(folder)).filter((n) => n.endsWith('.cpuprofile'))) {
  const p = JSON.parse(await readFile(`${folder}/${f}`, 'utf8'));
  const self = new Map<number, number>(); p.samples.forEach((id: number, i: number) => self.set(id, (self.get(id) ?? 0) + (p.timeDeltas[i] ?? 0)));
  const by = new Map<string, number>(); let total = 0;
  for (const n of p.nodes) { const t = self.get(n.id) ?? 0; const k = `${n.callFrame.functionName || '(anon)'} ${n.callFrame.url.replace(/.*\/(node_modules|main)\//, '')}:${n.callFrame.lineNumber}`; if (n.callFrame.functionName !== '(idle)' ) total += t; by.set(k, (by.get(k) ?? 0) + t); }
  for (const [k, t] of [...by].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log((100 * t / total).toFixed(1) + '%', (t / 60000).toFixed(2) + 'us', k);
}
