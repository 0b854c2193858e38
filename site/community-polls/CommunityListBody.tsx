import type { CommunityCard as Card } from '#contract/community-poll.ts';
import { signInAddress } from '#domain/next-path.ts';
import { failureText } from '#site/client/failure-text.ts';
import type { Auth } from '#site/client/auth.tsx';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { communityTexts as texts } from '#texts/community.ts';
import { CommunityListGrid, CommunityListPlaceholders } from './CommunityListGrid.tsx';
import { communityAddress, firstCommunityView, type CommunityView } from './community-list-view.ts';

interface CommunityListBodyProps {
  readonly view: CommunityView;
  readonly auth: Auth;
  readonly page: { readonly error: Error | null; readonly isFetching: boolean };
  /** Undefined: nothing is known of this view yet. */
  readonly polls: readonly Card[] | undefined;
  readonly waiting: boolean;
  readonly cards: { readonly now: number; readonly freshId: string | null; readonly onFreshShown: () => void };
  readonly onCreate: () => void;
}

/** The list itself, or what stands in its place. */
export function CommunityListBody({ view, auth, page, polls, waiting, cards, onCreate }: CommunityListBodyProps) {
  if (view.mine && auth.status === 'signed-out')
    return <Notice {...texts.mineSignedOut} href={signInAddress(communityAddress(view))} />;

  return (
    <>
      {page.error !== null && !page.isFetching && (
        <Notice failed title={texts.failed.title} text={reasonOf(page.error, polls !== undefined)}>
          <RetryButton pending={page.isFetching} />
        </Notice>
      )}
      {polls === undefined ? (
        page.error === null && (
          <>
            <CommunityListPlaceholders />
            {view.mine && <p className="notice no-js-only">{texts.mineNoScript}</p>}
          </>
        )
      ) : polls.length > 0 ? (
        <CommunityListGrid polls={polls} waiting={waiting} {...cards} />
      ) : view.page > 1 ? (
        <Notice
          title={texts.pastTheEnd.title(view.page)}
          text={texts.pastTheEnd.text}
          action={texts.pastTheEnd.action}
          href={communityAddress({ ...view, page: 1 })}
        />
      ) : (
        <Empty view={view} signedIn={auth.status === 'signed-in'} onCreate={onCreate} />
      )}
    </>
  );
}

function reasonOf(error: Error, listed: boolean): string {
  const reason = failureText(error, texts.failed.text);
  return listed ? `${reason} ${texts.failed.stale}` : reason;
}

interface EmptyProps {
  readonly view: CommunityView;
  readonly signedIn: boolean;
  readonly onCreate: () => void;
}

function Empty({ view, signedIn, onCreate }: EmptyProps) {
  const { empty } = texts;
  const [title, text] =
    view.category !== null
      ? [empty.inCategory(view.category), empty.inCategoryText]
      : [empty.title, view.mine ? empty.mine : empty.text];
  return (
    <Notice title={title} text={text}>
      <div className="row">
        {signedIn && (
          <button type="button" className="button button--primary" onClick={onCreate}>
            {empty.createFirst}
          </button>
        )}
        {view.category !== null && (
          <a className="button" href={communityAddress({ ...firstCommunityView, mine: view.mine })}>
            {empty.showAll}
          </a>
        )}
      </div>
    </Notice>
  );
}
