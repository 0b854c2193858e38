import { useRef, useState } from 'react';
import type { ContentProblems } from '#api/content/content.contract.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { Field } from '#site/ui/Field.tsx';
import { contentTexts as texts } from '#texts/content-editor.ts';
import styles from './Content.module.css';
import { InsertChart } from './InsertChart.tsx';
import { InsertImage } from './InsertImage.tsx';

interface TextFieldProps {
  readonly id: string;
  readonly text: string;
  readonly problems: ContentProblems;
  /** Names in braces that stand for nothing. */
  readonly unknown: readonly string[];
  readonly onChange: (text: string) => void;
}

/** The Markdown of a text, with buttons that insert pictures and charts where the cursor is. */
export function TextField({ id, text, problems, unknown, onChange }: TextFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [inserting, setInserting] = useState<'image' | 'chart' | null>(null);
  const insert = (block: string) => {
    const at = area.current?.selectionStart ?? text.length;
    onChange(withBlock(text, at, block));
    setInserting(null);
  };
  // Problems of a field are shown there.
  const own = problems.find(({ field }) => field === null) ?? null;
  const line = own?.line ?? null;
  const shown = own === null || line === null ? own?.message : texts.line(line, own.message);
  return (
    <div className={adminStyles.form}>
      <Field
        id={id}
        label={texts.text}
        hint={unknown.length === 0 ? texts.textHint : `${texts.unknownNames(unknown)} ${texts.textHint}`}
        problem={shown}
      >
        {(control) => (
          <textarea
            {...control}
            ref={area}
            className={`input ${styles.text}`}
            dir="auto"
            rows={24}
            spellCheck
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <div className="row">
        {line !== null && (
          <button
            type="button"
            className="button button--small"
            onClick={() => area.current && goToLine(area.current, line)}
          >
            {texts.goToLine}
          </button>
        )}
        <button type="button" className="button button--small" onClick={() => setInserting('image')}>
          {texts.image}
        </button>
        <button type="button" className="button button--small" onClick={() => setInserting('chart')}>
          {texts.chart}
        </button>
      </div>
      {inserting === 'image' && <InsertImage onInsert={insert} onClose={() => setInserting(null)} />}
      {inserting === 'chart' && <InsertChart onInsert={insert} onClose={() => setInserting(null)} />}
    </div>
  );
}

/** A text with a block of its own after the line that has the position `at`. */
export function withBlock(text: string, at: number, block: string): string {
  const end = text.indexOf('\n', at);
  const [before, after] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  return [before.trimEnd(), block, after.trimStart()].filter((part) => part !== '').join('\n\n');
}

function goToLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
