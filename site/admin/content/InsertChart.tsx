import { pollChartBlock } from '#domain/poll-chart-block.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { pollIdIn } from '#site/admin/poll-id-in.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { Dialog } from '#site/ui/Dialog.tsx';
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
    <Dialog title={texts.chartTitle} onClose={onClose}>
      <AdminForm
        fields={[
          {
            ...{ name: 'poll', label: texts.chartPoll, required: texts.chartWrong },
            wrong: (typed) => (pollIdIn(typed) === null ? texts.chartWrong : undefined),
            input: { autoComplete: 'off', spellCheck: false },
          },
        ]}
        submit={texts.chartInsert}
        cancel={{ label: texts.cancel, onClose }}
        send={(field) => insert(pollIdIn(field('poll')) ?? '')}
      >
        <p>{texts.chartHint}</p>
      </AdminForm>
    </Dialog>
  );
}
