import { pollChartBlock } from '#domain/poll-chart-block.ts';
import { FormDialog } from '#site/admin/AdminForm.tsx';
import { pollIdIn } from '#site/admin/poll-id-in.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';

interface InsertProps {
  /** Called with the Markdown to insert. */
  readonly onInsert: (markdown: string) => void;
  readonly onClose: () => void;
}

/** Inserts the results of a poll as they are now as a chart. */
export function InsertChart({ onInsert, onClose }: InsertProps) {
  const insert = async (id: string) => {
    const poll = await callApi('poll', { params: { id } });
    const today = formatDay(new Date().toISOString());
    const block = pollChartBlock(poll, texts.chartSource(poll.question, formatCount(poll.totalVotes), today));
    if (block === null) throw new ApiError(0, texts.chartNoVotes, { message: texts.chartNoVotes });
    onInsert(block);
    return texts.chartDone;
  };
  return (
    <FormDialog
      title={texts.chartTitle}
      onClose={onClose}
      cancel={texts.cancel}
      text={texts.chartHint}
      fields={[
        {
          ...{ name: 'poll', label: texts.chartPoll, required: texts.chartWrong },
          wrong: (typed) => (pollIdIn(typed) === null ? texts.chartWrong : undefined),
          input: { autoComplete: 'off', spellCheck: false },
        },
      ]}
      submit={texts.chartInsert}
      send={(field) => insert(pollIdIn(field('poll')) ?? '')}
    />
  );
}
