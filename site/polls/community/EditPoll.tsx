import type { SubmitEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { CommunityPoll, CommunityPollEdit } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { pollProtections, resultVisibilities } from '#contract/vocabulary.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { rankOf } from '#domain/protection.ts';
import { localTimeOf } from '#domain/time-zone.ts';
import { oneLine } from '#domain/visible-text.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { readerZone } from '#site/ui/format.ts';
import { hasBadInput, MomentField, momentProblem } from '#site/ui/MomentField.tsx';
import { OptionList } from '#site/ui/OptionList.tsx';
import { ProtectionSelect } from '#site/ui/ProtectionSelect.tsx';
import { toast } from '#site/ui/toasts.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';
import { protectionTexts } from '#texts/protection.ts';
import { createPollTexts } from '#texts/community.ts';
import { editPollTexts as texts, creatorToolsTexts } from '#texts/creator-tools.ts';
import { setPollInCache } from '#site/polls/voting/shown-polls.ts';
import styles from './CreatorTools.module.css';
import { momentOfField, newOptionKey, sentOptions } from './create-poll-draft.ts';
import type { DraftOption } from './create-poll-storage.ts';

interface EditPollProps {
  readonly poll: CommunityPoll;
  /** The levels of protection that this site offers. */
  readonly offered: readonly Protection[];
  readonly onDone: () => void;
}

/** The creator’s form for texts, end, and settings; what voters have relied on is fixed. */
export function EditPoll({ poll, offered, onDone }: EditPollProps) {
  const id = useId();
  const endId = `${id}-end`;
  const fixed = poll.totalVotes + (poll.setAsideVotes ?? 0) + (poll.heldVotes ?? 0) > 0;
  const current = poll.protection ?? 'browser';
  const protections = pollProtections.filter(
    (level) => level === current || (offered.includes(level) && (!fixed || rankOf(level) > rankOf(current))),
  );
  const zone = readerZone();
  const endsAt = poll.endsAt === null ? '' : localTimeOf(Date.parse(poll.endsAt), zone);
  const [draft, setDraft] = useState({
    question: poll.question,
    description: poll.description,
    options: poll.options.map(({ text }, key) => ({ key, text })) as readonly DraftOption[],
    endsAt,
    resultVisibility: poll.resultVisibility ?? 'after-voting',
    protection: poll.protection ?? 'browser',
    commentsOpen: poll.commentsOpen ?? true,
  });
  const { mutate, isPending, error } = useEdit(poll.id, onDone);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const problems = (error instanceof ApiError ? error.body?.errors : undefined) ?? [];
  const problemOf = (field: string) => problems.find((one) => one.field.split('.')[0] === field)?.message;

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending || hasBadInput(event.currentTarget, endId) || momentProblem(draft.endsAt, '', zone) !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`#${CSS.escape(endId)}`)?.focus();
      return;
    }
    const { question, description, resultVisibility, protection, commentsOpen } = draft;
    const options = sentOptions(draft).map(({ text }) => ({ text }));
    mutate({
      ...{ description, commentsOpen },
      ...(protection !== current && protection !== 'invited' && { protection }),
      ...(!fixed && { question, options, resultVisibility }),
      ...(draft.endsAt !== endsAt && { endsAt: momentOfField(draft.endsAt, true) }),
    });
  };

  return (
    <form ref={form} className={styles.edit} aria-label={texts.heading} noValidate onSubmit={handleSubmit}>
      {fixed && <p className="muted small">{texts.fixed}</p>}
      {!fixed && (
        <>
          <Field id={`${id}-question`} label={createPollTexts.question} problem={problemOf('question')}>
            {(control) => (
              <textarea
                {...control}
                className="input"
                dir="auto"
                rows={2}
                value={draft.question}
                onChange={({ target }) => change({ question: oneLine(target.value) })}
              />
            )}
          </Field>
          <OptionList
            id={`${id}-option`}
            options={draft.options}
            hint={createPollTexts.optionsHint}
            min={limits.communityOptionsMin}
            max={limits.communityOptionsMax}
            full={createPollTexts.optionsFull}
            problem={problems.find(({ field }) => field === 'options')?.message}
            problemOf={(key) => {
              const place = sentOptions(draft).findIndex((option) => option.key === key);
              return problems.find(({ field }) => field === `options.${place}.text`)?.message;
            }}
            newKey={newOptionKey}
            onChange={(options) => change({ options })}
          />
          <Field
            id={`${id}-results`}
            label={createPollTexts.results}
            hint={createPollTexts.resultsMean[draft.resultVisibility]}
          >
            {(control) => (
              <select
                {...control}
                className="input"
                value={draft.resultVisibility}
                onChange={({ target }) =>
                  change({ resultVisibility: resultVisibilities.find((one) => one === target.value)! })
                }
              >
                {resultVisibilities.map((one) => (
                  <option key={one} value={one}>
                    {createPollTexts.resultVisibilities[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      <Field id={`${id}-description`} label={createPollTexts.description} problem={problemOf('description')}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            dir="auto"
            rows={4}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        )}
      </Field>
      {!isClosed(poll) && poll.visibility !== 'private' && (
        <Field
          id={`${id}-protection`}
          label={protectionTexts.label}
          hint={protectionTexts.means[draft.protection]}
          problem={problemOf('protection')}
        >
          {(control) => (
            <ProtectionSelect
              {...control}
              value={draft.protection}
              offered={protections}
              onChange={(protection) => change({ protection })}
            />
          )}
        </Field>
      )}
      {!isClosed(poll) && (
        <MomentField
          id={endId}
          label={createPollTexts.ends}
          hint={createPollTexts.endsHint}
          problem={problemOf('endsAt')}
          value={draft.endsAt}
          zone={zone}
          isEnd
          onChange={(value) => change({ endsAt: value })}
        />
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={draft.commentsOpen}
          onChange={({ target }) => change({ commentsOpen: target.checked })}
        />
        {texts.commentsOpen}
      </label>
      <p className={styles.inviteProblem} role="status">
        {error !== null && !isPending && problems.length === 0 && failureSentence(error, creatorToolsTexts.failed)}
      </p>
      <div className="row">
        <button type="submit" className="button button--primary" aria-disabled={isPending}>
          {isPending ? creatorToolsTexts.pending : texts.save}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {creatorToolsTexts.cancel}
        </button>
      </div>
    </form>
  );
}

/** Saves changes of the creator’s own poll. */
function useEdit(pollId: string, onDone: () => void) {
  return useMutation<CommunityPoll, Error, CommunityPollEdit>(
    {
      mutationFn: (body) => callApi('editCommunityPoll', { params: { id: pollId }, body }),
      onSuccess: async (edited) => {
        await setPollInCache(edited);
        onDone();
        toast({ title: texts.saved });
      },
    },
    queryClient(),
  );
}
