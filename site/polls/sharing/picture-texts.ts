import type { BallotMethod } from '#contract/vocabulary.ts';
import type { ResultPicture, SocialPicture } from '#domain/social-picture.ts';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { embedTexts } from '#texts/embeds.ts';
import { sharingTexts } from '#texts/sharing.ts';

/** The site’s name and address on every picture. */
export interface PictureSite {
  readonly siteName: string;
  /** Host of the public address, such as polls.example.org. */
  readonly host: string;
}

/** An answer, in a result with its bar. */
export interface PictureRow {
  readonly text: string;
  readonly method?: BallotMethod | undefined;
  readonly bar?: { readonly percent: number; readonly position: number | null };
}

/** The texts of a picture, and where its vane points. */
export interface PictureTexts {
  readonly siteName: string;
  readonly kicker: string;
  readonly headline: string;
  readonly share: number | undefined;
  readonly dial: boolean;
  /** The text in the footer, and the small one below or after it. */
  readonly note: string;
  readonly small: string;
  readonly rows: readonly PictureRow[];
}

const texts = sharingTexts.picture;

/**
 * The texts of a picture. `readable` returns what can be drawn of a text, null if that can’t be read: then a category or the
 * site’s name stands for a question, and no answer is shown without the others.
 */
export function pictureTexts(
  picture: SocialPicture,
  { siteName, host }: PictureSite,
  readable: (text: string) => string | null,
): PictureTexts {
  const plain = {
    siteName: readable(siteName) ?? host,
    share: undefined,
    dial: false,
    note: '',
    small: host,
    rows: [],
  };
  // Without a dial: a resting vane over a scale would look like a result.
  if (picture.kind === 'site') return { ...plain, dial: true, kicker: '', headline: texts.headline, note: texts.vote };
  const category = picture.category === null ? null : readable(picture.category);
  const subject = readable(picture.kind === 'article' ? picture.title : picture.question);
  const named = (kicker: string) => ({
    kicker: category === null || subject === null ? kicker : `${kicker} · ${category}`,
    headline: subject ?? category ?? plain.siteName,
  });
  const rowsOf = (rows: readonly PictureRow[]) => {
    const drawn = rows.flatMap((row) => ({ ...row, text: readable(row.text) ?? '' }));
    return subject === null || drawn.some(({ text }) => text === '') ? [] : drawn;
  };
  switch (picture.kind) {
    case 'article':
      return { ...plain, ...named(texts.articleKicker) };
    case 'open':
      return {
        ...plain,
        ...named(texts.openKicker),
        note: texts.vote,
        rows: rowsOf(picture.options.map((text) => ({ text, method: picture.method }))),
      };
    case 'result': {
      const votes = picture.votes === 0 && picture.received === undefined ? [] : [pictureVotes(picture)];
      const closed = picture.closedAt === null ? [] : [texts.closed(formatDay(picture.closedAt))];
      return {
        ...plain,
        ...named(texts.closedKicker),
        share: picture.share,
        dial: picture.share !== undefined,
        note: picture.leaders.length === 0 ? noLeaderText(picture) : picture.otherLeader ? texts.otherLeader : '',
        small: [...votes, ...closed, host].join(' · '),
        rows: rowsOf(picture.bars.map(({ text, percent, position }) => ({ text, bar: { percent, position } }))),
      };
    }
  }
}

/** The counted votes, and the votes received if there are more: a picture has no room for reasons. */
export function pictureVotes({ votes, received, independent, several, lastRound }: ResultPicture): string {
  if (lastRound) return texts.lastRound(lastRound.number, formatCount(lastRound.votes), formatCount(received ?? votes));
  const counted =
    received === undefined
      ? (several ? texts.voters : embedTexts.votes)(formatCount(votes), votes)
      : texts.ofReceived(formatCount(received), formatCount(votes));
  return independent === undefined ? counted : `${counted}, ${texts.independent(formatCount(independent))}`;
}

/** Why no answer leads. */
export function noLeaderText({ received, provisional }: ResultPicture): string {
  if (provisional) return texts.provisional;
  return received === undefined ? texts.nobody : texts.noneCounted;
}
