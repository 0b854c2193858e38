import { useId, useState } from 'react';
import type { WriteInProps, WrittenParts } from '#site/polls/voting/Ballot.tsx';
import { optionField, writtenField, writtenIn, writtenMark } from '#site/polls/voting/ballot.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { formatMoment } from '#site/ui/format.ts';
import { useShownZone } from '#site/ui/RelativeTime.tsx';
import { writtenTexts as texts } from '#texts/write-ins.ts';
import styles from './WriteInParts.module.css';

/** The last choice, and its text, which chooses it. */
function Field({ chosen, choose, className }: WriteInProps) {
  const written = writtenIn(chosen);
  // Kept while another option is chosen.
  const [text, setText] = useState('');
  const id = useId();
  return (
    <div className={styles.field} data-last>
      <label className={className}>
        <input
          type="radio"
          name={optionField}
          required
          value={writtenMark}
          checked={written !== undefined}
          aria-describedby={id}
          onChange={() => choose([writtenMark + text])}
        />
        <span>{texts.other}</span>
      </label>
      <input
        className="input"
        name={writtenField}
        aria-label={texts.text}
        dir="auto"
        autoComplete="off"
        required={written !== undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          choose([writtenMark + target.value]);
        }}
      />
      <p id={id} className="muted small">
        {texts.hint}
      </p>
    </div>
  );
}

/** What became of this voter’s answer, and which options came after the vote. */
function Own({ poll: { options, writtenVote, missedOptions = [] } }: { readonly poll: AnyPoll }) {
  const missed = options.flatMap(({ id, text }) => (missedOptions.includes(id) ? [text] : []));
  return (
    <>
      {writtenVote !== undefined && <p>{texts.own[writtenVote]}</p>}
      {missed.length > 0 && (
        <p className="muted small" dir="auto">
          {texts.missed(missed)}
        </p>
      )}
    </>
  );
}

/** When which answers were added. */
function Added({ poll: { options } }: { readonly poll: AnyPoll }) {
  const zone = useShownZone();
  return options.map(
    ({ id, text, addedAt }) =>
      addedAt !== undefined && (
        <p key={id} className={`muted small ${styles.added}`} dir="auto">
          {texts.added(text, formatMoment(addedAt, zone))}
        </p>
      ),
  );
}

/** What a ballot has whose voters may write another answer; other pages don’t load it. */
export const written: WrittenParts = { Field, Own, Added };
