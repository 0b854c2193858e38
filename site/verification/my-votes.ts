import { formatDay } from '#site/ui/format.ts';
import { receiptsOnDevice } from './receipts-on-device.ts';
import type { StoredReceipt } from '#site/polls/voting/receipts.ts';
import { forgetAllReceipts, forgetReceipt, receiptElementId, watchReceipts } from '#site/polls/voting/receipts.ts';
import { myVotesTexts as texts, receiptStatusTexts } from '#texts/verification.ts';
import { saveFile } from '#site/client/save-file.ts';
import { download } from './download.ts';
import { verifyEd25519 } from './ed25519.ts';
import { forgetOffline, keepOffline } from './offline-copy.ts';
import { copyOf, part, partOf, show } from './page-parts.ts';
import { receiptStatus } from './receipt-status.ts';
import type { ReceiptStatus } from './receipt-status.ts';

/** The page that lists the receipts on this device; only the button “Check” needs the network, and the first visit. */

const list = part('receipts');

async function check(stored: StoredReceipt, row: HTMLElement): Promise<void> {
  const button = partOf(HTMLButtonElement, 'check', row);
  const status = part('status', row);
  button.setAttribute('aria-disabled', 'true');
  show(status, texts.checking);
  const unreachable: ReceiptStatus = { text: receiptStatusTexts.unreachable, isProblem: false };
  const found = await receiptStatus(stored, download, verifyEd25519).catch(() => unreachable);
  show(status, found.text);
  status.classList.toggle('problem', found.isProblem);
  button.removeAttribute('aria-disabled');
}

function rowOf(stored: StoredReceipt): HTMLElement {
  const row = copyOf('row');
  const { poll, question, receipt, option, day, path } = stored;
  row.id = receiptElementId(poll);
  const link = partOf(HTMLAnchorElement, 'question', row);
  link.textContent = question;
  link.href = path;
  part('choice', row).textContent = texts.choice(option, formatDay(day));
  part('code', row).textContent = receipt;
  const button = partOf(HTMLButtonElement, 'check', row);
  button.setAttribute('aria-label', texts.checkOf(question));
  button.addEventListener('click', () => {
    if (!button.hasAttribute('aria-disabled')) void check(stored, row);
  });
  partOf(HTMLAnchorElement, 'recount', row).href = `${path}/recount`;
  const forget = partOf(HTMLButtonElement, 'forget', row);
  forget.setAttribute('aria-label', texts.forgetOf(question));
  forget.addEventListener('click', () => {
    forgetReceipt(poll);
    announceForgotten();
  });
  return row;
}

/** The button that was pressed is gone: the heading takes the focus. */
function announceForgotten(): void {
  part('announcement').textContent = texts.forgotten;
  part('title').focus();
}

/** Marks the receipt that the address names, and moves view and focus there: the rows come after the page. */
function showNamed(): void {
  const name = location.hash.slice(1);
  for (const row of list.children) row.toggleAttribute('data-named', row.id === name);
  const named = list.querySelector<HTMLElement>('[data-named]');
  if (named === null) return;
  named.tabIndex = -1;
  named.focus({ preventScroll: true });
  named.scrollIntoView({ block: 'start' });
}

let listed = '';

/** Keeps a copy of the page while there are receipts. */
function copyPage(): void {
  // Without a network, the copy stays as it is; some browsers refuse storage.
  (receiptsOnDevice().length > 0 ? keepOffline() : forgetOffline()).catch(() => undefined);
}

function update(): void {
  const receipts = receiptsOnDevice();
  const now = JSON.stringify(receipts);
  if (now === listed) return;
  listed = now;
  list.replaceChildren(...receipts.map(rowOf));
  part('empty').hidden = receipts.length > 0;
  part('tools').hidden = receipts.length === 0;
  show(part('count'), receipts.length > 0 ? texts.count(receipts.length) : null);
  if (receipts.length === 0) copyPage();
}

part('save').addEventListener('click', () =>
  saveFile(
    'weathervane-receipts.json',
    new Blob([JSON.stringify(receiptsOnDevice(), null, 2)], { type: 'application/json' }),
  ),
);
part('forget-all').addEventListener('click', () => {
  if (!confirm(texts.confirmAll)) return;
  forgetAllReceipts();
  announceForgotten();
});
watchReceipts(update);
addEventListener('hashchange', showNamed);
// Without a receipt there is nothing listed yet, and nothing that differs.
part('empty').hidden = receiptsOnDevice().length > 0;
update();
showNamed();
// Once everything that the page consists of has loaded.
if (document.readyState === 'complete') copyPage();
else addEventListener('load', copyPage);
