import checkEdit from 'virtual:check/CommunityPollEdit';
import { useEffect, useId, useRef } from 'react';
import type { CommunityPoll, CommunityPollEdit } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { pollProtections, resultVisibilities } from '#contract/vocabulary.ts';
import type { Protection, ResultVisibility } from '#contract/vocabulary.ts';
import { rankOf } from '#domain/protection.ts';
import { localTimeOf } from '#domain/time-zone.ts';
import { oneLine } from '#domain/visible-text.ts';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { useForm } from '#site/client/use-form.ts';
import type { FormState } from '#site/client/use-form.ts';
import { Field } from '#site/ui/Field.tsx';
import { readerZone } from '#site/ui/format.ts';
import { momentErrors, MomentField } from '#site/ui/MomentField.tsx';
import { OptionList, optionFieldOf } from '#site/ui/OptionList.tsx';
import { ProtectionSelect } from '#site/ui/ProtectionSelect.tsx';
import { toast } from '#site/ui/toasts.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';
import { protectionTexts } from '#texts/protection.ts';
import { createPollTexts } from '#texts/community.ts';
import { editPollTexts as texts, creatorToolsTexts } from '#texts/creator-tools.ts';
import { setPollInCache } from '#site/polls/voting/shown-polls.ts';
import { choiceBody, ChoiceFields, choiceOfPoll, takesWriteIns } from './ChoiceFields.tsx';
import type { ChosenMethod } from './ChoiceFields.tsx';
import styles from './CreatorTools.module.css';
import { momentOfField, newOptionKey, sentOptions } from './create-poll-draft.ts';
import type { DraftOption } from './create-poll-draft.ts';

interface EditPollProps {
  readonly poll: CommunityPoll;
  /** The levels of protection that this site offers. */
  readonly offered: readonly Protection[];
  readonly onDone: () => void;
}

interface EditedPoll extends ChosenMethod {
  readonly question: string;
  readonly description: string;
  readonly options: readonly DraftOption[];
  readonly endsAt: string;
  readonly resultVisibility: ResultVisibility;
  readonly protection: Protection;
  readonly commentsOpen: boolean;
}

/** The creator’s form for texts, end, and settings; what voters have relied on is fixed. */
export function EditPoll({ poll, offered, onDone }: EditPollProps) {
  const id = useId();
  const fixed = poll.totalVotes + (poll.setAsideVotes ?? 0) + (poll.heldVotes ?? 0) > 0;
  const current = poll.protection ?? 'browser';
  const protections = pollProtections.filter(
    (level) => level === current || (offered.includes(level) && (!fixed || rankOf(level) > rankOf(current))),
  );
  const zone = readerZone();
  const endsAt = poll.endsAt === null ? '' : localTimeOf(Date.parse(poll.endsAt), zone);
  const initial: EditedPoll = {
    question: poll.question,
    description: poll.description,
    options: poll.options.map(({ text }, key) => ({ key, text })),
    endsAt,
    ...choiceOfPoll(poll, poll.options),
    resultVisibility: poll.resultVisibility ?? 'after-voting',
    protection: current,
    commentsOpen: poll.commentsOpen ?? true,
  };
  const form: FormState<EditedPoll> = useForm({
    initial,
    bodyOf: (_, { values }): CommunityPollEdit => {
      const { question, description, resultVisibility, protection, commentsOpen } = values;
      const options = sentOptions(values).map(({ text }) => ({ text }));
      const writeIns = takesWriteIns(values);
      return {
        ...{ description, commentsOpen },
        ...(protection !== current && protection !== 'invited' && { protection }),
        ...(!fixed && { question, options, resultVisibility }),
        ...(!fixed && writeIns !== (poll.writeIns ?? false) && { writeIns }),
        ...(!fixed && values.method !== undefined && choiceBody(values)),
        ...(values.endsAt !== endsAt && { endsAt: momentOfField(values.endsAt, true) }),
      };
    },
    check: (body, element) => [
      ...momentErrors(element, { name: 'endsAt', value: form.values.endsAt, label: createPollTexts.ends, zone }),
      ...checkInput(checkEdit, body),
    ],
    fieldOf: (part, values) => optionFieldOf(part, sentOptions(values)),
    send: (body) => callApi('editCommunityPoll', { params: { id: poll.id }, body }),
    async onSent(edited) {
      await setPollInCache(edited);
      onDone();
      toast({ title: texts.saved });
    },
    onFailed: (error) => failureSentence(error, creatorToolsTexts.failed),
  });
  const { values: draft, change, problemOf, pending } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => element.current?.querySelector('textarea')?.focus(), []);

  return (
    <form ref={element} {...form.form} className={styles.edit} aria-label={texts.heading}>
      {fixed && <p className="muted small">{texts.fixed}</p>}
      {!fixed && (
        <>
          <Field id={`${id}-question`} label={createPollTexts.question} problem={problemOf('question')}>
            {(control) => (
              <textarea
                {...control}
                className="input"
                name="question"
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
            problemOf={problemOf}
            newKey={newOptionKey}
            onChange={(options) => change({ options })}
          />
          <ChoiceFields id={id} values={draft} change={change} problemOf={problemOf} />
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
            name="description"
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
              name="protection"
              value={draft.protection}
              offered={protections}
              onChange={(protection) => change({ protection })}
            />
          )}
        </Field>
      )}
      {!isClosed(poll) && (
        <MomentField
          id={`${id}-end`}
          name="endsAt"
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
        {form.formProblem}
      </p>
      <div className="row">
        <button type="submit" className="button button--primary" aria-disabled={pending}>
          {pending ? creatorToolsTexts.pending : texts.save}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {creatorToolsTexts.cancel}
        </button>
      </div>
    </form>
  );
}
