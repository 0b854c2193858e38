import { useEffect, useId, useRef, useState } from 'react';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { Field } from '#site/ui/Field.tsx';
import { communityPollTexts } from '#texts/community-poll.ts';
import boxStyles from './CommunityPoll.module.css';
import styles from './InvitesPanel.module.css';
import { useInvites } from './use-community-invites.ts';
import type { Invites, InviteRow } from './use-community-invites.ts';

const texts = communityPollTexts.invites;

/** Who may open an own private poll: the list, and the ways to lengthen and shorten it. */
export function InvitesPanel({ pollId }: { readonly pollId: string }) {
  const invites = useInvites(pollId);
  const id = useId();
  return (
    <section className={boxStyles.box} aria-labelledby={id}>
      <h2 id={id} className={boxStyles.boxHeading}>
        {texts.heading}
      </h2>
      <InviteForm invites={invites} />
      {invites.failed ? (
        <div className={boxStyles.stale} role="alert">
          <p>{texts.failed}</p>
          <RetryButton pending={invites.isFetching} small />
        </div>
      ) : (
        <InviteList invites={invites} />
      )}
      <p className="visually-hidden" role="status">
        {invites.news}
      </p>
    </section>
  );
}

function InviteForm({ invites }: { readonly invites: Invites }) {
  const id = useId();
  const [name, setName] = useState('');
  const input = useRef<HTMLInputElement>(null);

  // Somebody may have written before this island woke up.
  useEffect(() => {
    if (input.current) setName(input.current.value);
  }, []);

  const handleSubmit = async (event: { preventDefault(): void }) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '' || invites.adding) return;
    try {
      await invites.add(wanted);
      setName('');
    } catch {
      // The problem stands beside the field.
    }
    input.current?.focus();
  };

  return (
    <form className={styles.form} onSubmit={(event) => void handleSubmit(event)}>
      <Field
        id={id}
        label={texts.label}
        hint={texts.hint}
        problem={invites.addProblem ?? undefined}
        className={styles.field}
      >
        {(control) => (
          <input
            {...control}
            ref={input}
            className="input"
            value={name}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className={`button ${styles.add}`} disabled={name.trim() === '' || invites.adding}>
        {invites.adding ? texts.pending : texts.add}
      </button>
    </form>
  );
}

function InviteList({ invites }: { readonly invites: Invites }) {
  const { rows, changeProblem } = invites;
  if (rows === undefined) return <div className={`skeleton ${styles.skeleton}`} aria-hidden="true" />;
  if (rows.length === 0) return <p className={boxStyles.boxNote}>{texts.none}</p>;
  return (
    <>
      <ul className={styles.list} aria-label={texts.listLabel}>
        {rows.map((row) => (
          <InviteLine key={row.userId} row={row} invites={invites} />
        ))}
      </ul>
      {changeProblem !== null && (
        <p className={styles.problem} role="alert">
          {changeProblem}
        </p>
      )}
    </>
  );
}

function InviteLine({ row, invites }: { readonly row: InviteRow; readonly invites: Invites }) {
  const { name, username, removed } = row;
  const changing = invites.changing === row.userId;
  return (
    <li className={styles.line}>
      <span className={styles.who}>
        <bdi className={removed ? styles.gone : styles.name}>{name}</bdi>
        <span className={styles.note}>
          {name !== username && <bdi>{username} </bdi>}
          <span>{removed ? texts.removed(name) : row.acceptedAt === null ? texts.waiting : texts.accepted}</span>
        </span>
      </span>
      {/* One button for both, never disabled, so that the focus stays where it was. */}
      <button
        type="button"
        className="button button--small"
        aria-label={removed ? texts.undoLabel(name) : texts.removeLabel(name)}
        aria-disabled={changing}
        onClick={() => {
          if (changing) return;
          if (removed) invites.undo(row);
          else invites.remove(row);
        }}
      >
        {removed ? texts.undo : texts.remove}
      </button>
    </li>
  );
}
