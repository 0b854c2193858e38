import { useState } from 'react';
import { lineDiff } from '#site/admin/text-diff.ts';
import type { DiffPart } from '#site/admin/text-diff.ts';
import { versionTexts } from '#texts/admin.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import styles from './Content.module.css';

/** Unchanged lines around a change that are shown. */
const context = 2;

/** What differs between two texts, line by line, with a little of what is around it. */
export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = lineDiff(before, after);
  if (parts.every(({ kind }) => kind === 'same')) return <p className="muted">{versionTexts.noDifference}</p>;
  return (
    <div className={styles.diff} dir="auto">
      {parts.map((part, index) => (
        <Part key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
    </div>
  );
}

function Part({
  part,
  isFirst,
  isLast,
}: {
  readonly part: DiffPart;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  const { kind, items: lines } = part;
  const [isWhole, setWhole] = useState(false);
  if (kind === 'added') return <Lines as="ins" label={texts.added} lines={lines} />;
  if (kind === 'removed') return <Lines as="del" label={texts.removed} lines={lines} />;
  const head = isFirst ? [] : lines.slice(0, context);
  const tail = isLast ? [] : lines.slice(head.length).slice(-context);
  const hidden = lines.length - head.length - tail.length;
  if (isWhole || hidden <= 1) return <Lines as="p" lines={lines} />;
  return (
    <>
      {head.length > 0 && <Lines as="p" lines={head} />}
      <button type="button" className="button button--small" onClick={() => setWhole(true)}>
        {texts.unchangedLines(hidden)}
      </button>
      {tail.length > 0 && <Lines as="p" lines={tail} />}
    </>
  );
}

interface LinesProps {
  readonly as: 'ins' | 'del' | 'p';
  /** Read before the lines, where a color says it. */
  readonly label?: string;
  readonly lines: readonly string[];
}

function Lines({ as: Element, label, lines }: LinesProps) {
  return (
    <Element>
      {label !== undefined && <span className="visually-hidden">{label}</span>}
      {lines.join('\n')}
    </Element>
  );
}
