import { useId, useState } from 'react';
import { pollChartBlock } from '#domain/poll-chart-block.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { ApiError, callApi } from '#site/client/api.ts';
import { Field } from '#site/ui/Field.tsx';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';

interface InsertProps {
  /** Called with the Markdown to insert. */
  readonly onInsert: (markdown: string) => void;
  readonly onClose: () => void;
}

/** Inserts the results of a poll as they are now as a chart. */
export function InsertChart({ onInsert, onClose }: InsertProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const pollId = pollIdIn(typed);
  const action = async () => {
    const poll = await callApi('poll', { params: { id: pollId ?? '' } });
    const today = formatDay(new Date().toISOString());
    const block = pollChartBlock(poll, texts.chartSource(poll.question, formatCount(poll.totalVotes), today));
    if (block === null) throw new ApiError(0, texts.chartNoVotes, { message: texts.chartNoVotes });
    onInsert(block);
    return texts.chartDone;
  };
  return (
    <ActionDialog
      {...{ action, onClose }}
      title={texts.chartTitle}
      text={texts.chartHint}
      confirm={texts.chartInsert}
      cancel={texts.cancel}
      disabled={pollId === null}
    >
      <Field
        id={id}
        label={texts.chartPoll}
        problem={typed.trim() !== '' && pollId === null ? texts.chartWrong : undefined}
      >
        {(control) => (
          <input
            {...control}
            className="input"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </ActionDialog>
  );
}

/** The id of a weekly poll in a typed address, path, or bare id; null for anything else. */
export function pollIdIn(typed: string): string | null {
  return /^(?:\S*\/poll\/)?([\w-]{1,80})\/?(?:[?#]\S*)?$/.exec(typed.trim())?.[1] ?? null;
}
