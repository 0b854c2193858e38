import { linkParts } from '#domain/comment-text.ts';
import styles from './Comments.module.css';

/** What somebody wrote, as text: addresses become links that this site does not vouch for, nothing else is read into it. */
export function CommentText({ content }: { readonly content: string }) {
  return (
    <p className={styles.text} dir="auto">
      {linkParts(content).map(({ text, href }, place) =>
        href === undefined ? (
          text
        ) : (
          <a key={place} href={href} rel="nofollow ugc noopener" dir="ltr">
            {text}
          </a>
        ),
      )}
    </p>
  );
}
