import { formatCount } from '#site/ui/format.ts';
import { receiptsOnDevice } from './receipts-on-device.ts';
import type { StoredReceipt } from '#site/polls/voting/receipts.ts';
import { recountTexts as texts, verdictTexts } from '#texts/verification.ts';
import { saveFile } from '#site/client/save-file.ts';
import { copyOf, part, partOf, show } from './page-parts.ts';
import { isWritten } from '#domain/verification/paper.ts';
import { hasBallots } from '#domain/verification/site-log.ts';
import { statusInFile } from './receipt-status.ts';
import type { RecountMessage, RecountReport, RecountRequest } from './recount.worker.ts';
import { roundLines } from './round-lines.ts';
import { readSiteMemories, writeSiteMemory } from './site-memory.ts';

/** The page that recounts a poll: starts the worker, shows its progress, and then its report. */

const root = part('recount');
const poll = root.dataset.poll!;
const start = partOf(HTMLButtonElement, 'start');
const cancel = partOf(HTMLButtonElement, 'cancel');
const bar = partOf(HTMLProgressElement, 'bar');
const status = part('status');
const report = part('report');
let worker: Worker | null = null;

/** Announced when a quarter is done: every percent would be read out. */
function showProgress(fraction: number, announced: { quarter: number }): void {
  bar.value = fraction;
  const quarter = Math.floor(fraction * 4);
  if (quarter === announced.quarter) return;
  announced.quarter = quarter;
  status.textContent = texts.counting(quarter * 25);
}

function stop(text: string): void {
  worker?.terminate();
  worker = null;
  part('working').hidden = true;
  start.hidden = false;
  start.textContent = texts.again;
  status.textContent = text;
}

function begin(): void {
  const memories = readSiteMemories();
  const receipt = receiptsOnDevice().find((stored) => stored.poll === poll);
  const announced = { quarter: -1 };
  report.hidden = true;
  status.classList.remove('visually-hidden', 'problem');
  start.hidden = true;
  part('working').hidden = false;
  bar.removeAttribute('value');
  status.textContent = texts.downloading;
  cancel.focus();
  worker = new Worker(new URL('./recount.worker.ts', import.meta.url), { type: 'module' });
  const fail = () => stop(texts.openInstead.unreachable);
  worker.addEventListener('error', fail);
  worker.addEventListener('message', ({ data }: MessageEvent<RecountMessage>) => {
    if (data.kind === 'progress') showProgress(data.fraction, announced);
    else if (data.kind === 'nothing') {
      stop(texts.openInstead[data.why]);
      status.classList.toggle('problem', data.isProblem === true);
    } else {
      stop(`${data.result.verdict === 'ok' ? texts.passed : texts.failed}. ${verdictTexts[data.result.verdict]}`);
      showReport(data, memories.length === 0);
      if (data.memory) writeSiteMemory(data.memory);
    }
    if (data.kind !== 'progress') start.focus();
  });
  worker.postMessage({ poll, memories, receipt: receipt ? promiseOf(receipt) : null } satisfies RecountRequest);
}

/** Shows a list with these sentences; without any, none. */
function fill(list: HTMLElement, sentences: readonly string[]): void {
  list.replaceChildren(
    ...sentences.map((sentence) => {
      const item = document.createElement('li');
      item.textContent = sentence;
      return item;
    }),
  );
  list.hidden = sentences.length === 0;
}

function showReport(made: RecountReport, isFirstVisit: boolean): void {
  const { result, options, checkpoints, question } = made;
  const { verdict, detail, header, tally, cosigned } = result;
  report.hidden = false;
  // The verdict is on the page now; the status is for screen readers.
  status.classList.add('visually-hidden');
  part('title').textContent = texts.titleOf(question);
  const passed = verdict === 'ok';
  const box = part('verdict');
  box.classList.toggle('notice--error', !passed);
  show(part('heading', box), passed ? texts.passed : texts.failed);
  show(part('sentence', box), verdictTexts[verdict]);
  show(part('code', box), passed ? null : texts.detail(verdict, detail));

  const list = part('differences', box);
  const sentences = result.differences.map(({ source, option, votes, logged }) =>
    texts.totals[source](options[option]?.label ?? '', formatCount(votes), formatCount(logged)),
  );
  fill(list, [...sentences, ...(made.admitted === null ? [] : [made.admitted])]);

  const rows = part('rows');
  rows.replaceChildren();
  part('totals').hidden = tally === null || header === null;
  const isEmpty = (numbers: readonly number[] | undefined) => numbers === undefined || numbers.every((n) => n === 0);
  for (const [name, numbers] of [
    ['setAside', tally?.setAside],
    ['held', tally?.held],
    ['base', header?.base],
  ] as const)
    part('totals').classList.toggle(`without-${name}`, isEmpty(numbers));
  for (const [number, { id, label }] of options.entries()) {
    if (!tally || !header) break;
    if (isWritten(id) && !hasBallots(tally, number)) continue;
    const row = copyOf('row');
    part('option', row).textContent = label;
    for (const [name, numbers] of [
      ['counted', tally.counted],
      ['setAside', tally.setAside],
      ['held', tally.held],
      ['base', header.base],
    ] as const)
      part(name, row).textContent = formatCount(numbers[number] ?? 0);
    rows.append(row);
  }
  const labels = options.map(({ label }) => label);
  fill(part('rounds'), result.runoff === null ? [] : roundLines(result.runoff, labels));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, votes) => total + votes, 0);
  const base = sum(header?.base ?? []);
  show(part('size'), header && texts.size(header.ballots, formatCount(header.ballots), checkpoints));
  show(part('cosigned'), cosigned && `${texts.cosigned(cosigned)} ${cosigned.by.join(', ')}`.trimEnd());
  show(part('not-verifiable'), base > 0 ? texts.notVerifiable(formatCount(base)) : null);
  show(part('provisional'), sum(tally?.held ?? []) > 0 ? texts.provisional : null);
  show(part('not-public'), made.isPublic ? null : texts.notPublicPoll);
  show(part('first-visit'), isFirstVisit && passed ? texts.firstVisit : null);
  show(part('key'), made.key);

  const receipt = receiptsOnDevice().find((stored) => stored.poll === poll);
  const [found] = result.found;
  const isBroken = result.promises.includes('broken');
  const own = receipt && found !== undefined ? statusInFile(found, receipt, made.saved.paper, isBroken) : null;
  show(part('receipt'), own?.text ?? texts.receipts.none);
  part('receipt').classList.toggle('problem', own?.isProblem === true);
  show(part('receipt-code'), receipt?.receipt ?? null);

  const save = partOf(HTMLButtonElement, 'save');
  save.hidden = false;
  save.onclick = () => saveFile(`poll-${poll}.weathervane.json`, jsonFile(made.saved));
  const both = partOf(HTMLButtonElement, 'both');
  const earlier = readSiteMemories();
  both.hidden = passed || earlier.length === 0 || made.siteNote === null;
  both.onclick = () =>
    saveFile(
      'weathervane-site-log.json',
      jsonFile({ seenEarlier: earlier, seenNow: { note: made.siteNote, poll: made.saved } }),
    );
}

/** What a saved file has of a receipt: not the wording, which the paper has. */
const promiseOf = ({ poll: id, receipt, optionId, further, promise }: StoredReceipt) => ({
  ...{ poll: id, receipt, optionId },
  ...(further && { further }),
  ...(promise && { promise }),
});

const jsonFile = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' });

start.addEventListener('click', begin);
cancel.addEventListener('click', () => {
  stop(texts.canceled);
  start.focus();
});
