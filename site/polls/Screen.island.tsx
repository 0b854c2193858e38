import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { PollScreen } from '#api/polls/screen/screen.contract.ts';
import { routes } from '#api/routes.contract.ts';
import * as limits from '#contract/limits.ts';
import { storedAdminPassword } from '#site/client/admin-password.ts';
import { ApiError, callRoute } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { PollProblem } from '#site/polls/PollProblem.tsx';
import type { PollPath } from '#site/polls/voting/form-vote.ts';
import { formatCount } from '#site/ui/format.ts';
import { ruleOf } from '#site/polls/voting/choice-sentences.ts';
import { runoffResult } from '#site/polls/voting/runoff-result.ts';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { severalTexts } from '#texts/choices.ts';
import { screenTexts as texts } from '#texts/screen.ts';
import styles from './Screen.module.css';

interface ScreenProps {
  readonly kind: PollPath;
  readonly id: string;
}

/** Reads a poll for a screen: a weekly one as an operator, another one as its creator. */
const readScreen = ({ kind, id }: ScreenProps, signal: AbortSignal): Promise<PollScreen> =>
  kind === 'poll'
    ? callRoute<'pollScreen'>(routes.pollScreen, {
        ...{ params: { id }, signal },
        adminPassword: storedAdminPassword() ?? '',
      })
    : callRoute<'communityScreen'>(routes.communityScreen, { params: { id }, signal });

const statusOf = (error: Error | null) => (error instanceof ApiError ? error.status : 0);
const isRefusal = (status: number) => [401, 403, 404].includes(status);

/** A poll on a screen in a room: question, QR code, and the number of votes as they come in; results once they are asked for. */
export default function Screen(props: ScreenProps) {
  const { data, error } = useQuery(
    {
      queryKey: ['screen', props.id],
      queryFn: ({ signal }) => readScreen(props, signal),
      refetchInterval: ({ state }) => !isRefusal(statusOf(state.error)) && limits.screenRefetchMs,
    },
    queryClient(),
  );
  const status = statusOf(error);
  if (data !== undefined && !isRefusal(status)) return <PollOnScreen poll={data} stale={error !== null} />;
  if (error === null) return null;
  return (
    <main className={`page ${styles.problem}`}>
      <Problem {...props} status={status} />
    </main>
  );
}

/** Why nothing is shown; whether there is such a poll, only those learn who may show it. */
function Problem({ kind, id, status }: ScreenProps & { readonly status: number }) {
  const path = `/${kind}/${id}/screen`;
  if (status === 404 || !isRefusal(status))
    return <PollProblem kind={status === 404 ? 'notFound' : 'unavailable'} path={path} />;
  const { title, text, link } = texts.signIn;
  return (
    <div className="page-problem">
      <h1>{title}</h1>
      <p className="lede">{text}</p>
      <p>
        <a
          className="button button--primary"
          href={kind === 'poll' ? '/admin/polls' : `/api/login?next=${encodeURIComponent(path)}`}
        >
          {link}
        </a>
      </p>
    </div>
  );
}

function PollOnScreen({ poll, stale }: { readonly poll: PollScreen; readonly stale: boolean }) {
  const [revealed, setRevealed] = useState(false);
  const root = useFitting();
  const {
    question,
    options,
    totalVotes,
    method,
    minChoices: min,
    maxChoices: max,
    phase,
    address,
    room,
    runoff,
  } = poll;
  const finding = runoffResult({ options, runoff })?.finding;
  const isMany = options.length > limits.screenColumn;
  return (
    <main ref={root} className={styles.screen}>
      <div className={styles.poll}>
        <h1 className={styles.question} dir="auto">
          {question}
        </h1>
        <div className={isMany ? styles.many : styles.few}>
          {revealed ? (
            <ResultBars options={options} totalVotes={totalVotes} compact={isMany} distinct label={texts.results} />
          ) : (
            <ul className={styles.answers} aria-label={texts.answers}>
              {options.map(({ id, text }) => (
                <li key={id} dir="auto">
                  {text}
                </li>
              ))}
            </ul>
          )}
        </div>
        {revealed && finding && <p>{finding}</p>}
        {method !== 'single' && (
          <p className="muted">
            {!revealed ? ruleOf(poll) : method === 'ranked' ? texts.firstChoices : severalTexts.shares({ min, max })}
          </p>
        )}
      </div>
      <div className={styles.side}>
        {room === null ? (
          <p className={styles.scan}>{phase === 'closed' ? texts.closed : texts.upcoming}</p>
        ) : (
          <>
            <p className={styles.scan}>{texts.scan}</p>
            <svg
              className={styles.code}
              viewBox={`0 0 ${room.qrCode.size} ${room.qrCode.size}`}
              role="img"
              aria-label={texts.code}
              data-address={room.address}
            >
              <path d={room.qrCode.path} />
            </svg>
            <p>
              {texts.or} <span className={styles.address}>{address.replace(/^https?:\/\//, '')}</span>
            </p>
          </>
        )}
      </div>
      <div className={styles.controls}>
        <button type="button" className="button button--primary" onClick={() => setRevealed(!revealed)}>
          {revealed ? texts.hide : texts.show}
        </button>
        <FullScreen />
        <a className="button" href={address}>
          {texts.back}
        </a>
        <p role="status">{stale && texts.stale}</p>
        <p className={styles.total}>
          <strong>{formatCount(totalVotes)}</strong> {(method === 'single' ? texts.votes : texts.voters)(totalVotes)}
        </p>
      </div>
    </main>
  );
}

/** Switches between the window and the full screen, where the browser has one. */
function FullScreen() {
  const [isFull, setFull] = useState(false);
  useLayoutEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <button type="button" className="button" onClick={() => void toggle().catch(() => undefined)}>
      {isFull ? texts.leave : texts.fullScreen}
    </button>
  );
}

/** The sizes of text that are tried, as parts of the largest one; the style sheet has the smallest of the question. */
const sizes = Array.from({ length: 15 }, (_, place) => 1 - place * 0.05);

/** Makes the text of an element as large as the window has room for, without a scroll bar. Narrow windows scroll. */
function useFitting() {
  const root = useRef<HTMLElement>(null);
  const fit = () => {
    const element = root.current;
    sizes.some((size) => {
      element?.style.setProperty('--size', String(size));
      return element === null || element.scrollHeight <= innerHeight;
    });
  };
  useLayoutEffect(fit);
  useLayoutEffect(() => {
    addEventListener('resize', fit);
    void document.fonts?.ready.then(fit);
    return () => removeEventListener('resize', fit);
  }, []);
  return root;
}
